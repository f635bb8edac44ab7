#!/usr/bin/env bash
# signals.sh PROGRAM: a run that a signal ends leaves no half-written file; what runs that were killed have left is cleaned up.
set -euo pipefail
program=$1
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
cd "$work"
long=(run rope --frames 10000000 --threads 1 --quiet)

# wait_for PATTERN: until such a file is there
wait_for()
{
    for _ in $(seq 3000); do compgen -G "$1" >/dev/null && return 0; sleep 0.05; done
    bad "no $1 came to be"
}
no_parts() { [ -z "$(find . -name '*.part')" ] || bad "$1 left $(find . -name '*.part' | head -3)"; }

# The first signal asks: the run ends after its frame and its files are whole.
for signal in HUP INT TERM; do
    rm -rf -- *
    "$program" "${long[@]}" --out a.pc2 --stats a.json &
    pid=$!
    wait_for 'a.pc2.*.part'
    sleep 0.1
    kill -$signal $pid
    code=0
    wait $pid || code=$?
    [ $code = 1 ] && [ -s a.pc2 ] && [ -n "$(hash_in a.json)" ] || bad "SIG$signal: exit code $code, $(ls)"
    no_parts "SIG$signal"
done

# Before the first frame nothing is worth finishing, and the second signal ends a run at once.
rm -rf -- *
"$program" run pile --frames 1000000 --threads 1 --quiet --set grains.size=[40,40,40] --out b.pc2 &
pid=$!
wait_for 'b.pc2.*.part'
kill -TERM $pid
sleep 0.05
kill -TERM $pid 2>/dev/null || true
wait $pid 2>/dev/null && bad "a run went on after two signals" || true
no_parts "two signals"

# A reader that goes away ends the run, and nothing stays.
rm -rf -- *
("$program" run pile --frames 1000000 --threads 1 --quiet --events - --out c.pc2 --stats c.json 2>/dev/null || true) | head -c 1 >/dev/null
no_parts "SIGPIPE"
[ ! -e c.json ] && [ ! -e c.pc2 ] || bad "a run without a reader wrote files under their final names"

# A hangup that nohup has had ignored stays ignored.
rm -rf -- *
(trap '' HUP; exec "$program" run rope --frames 10000000 --threads 1 --quiet --out d.pc2) &
pid=$!
wait_for 'd.pc2.*.part'
kill -HUP $pid
sleep 0.2
kill -0 $pid || bad "a hangup ended a run that ignores it"
kill -TERM $pid
wait $pid || true
no_parts "nohup"

# What a killed run has left is removed by the next one that writes the same file; that of a living run is not.
rm -rf -- *
"$program" "${long[@]}" --out e.pc2 &
pid=$!
wait_for 'e.pc2.*.part'
kill -9 $pid
wait $pid 2>/dev/null || true
[ -n "$(find . -name '*.part')" ] || bad "a killed run left nothing to clean up"
"$program" "${long[@]}" --out e.pc2 &
living=$!
wait_for "e.pc2.$living.*.part"
[ "$(find . -name '*.part' | wc -l)" = 1 ] || bad "the part of a killed run stays: $(ls)"
expect 0 "" run rope --frames 1 --quiet --out e.pc2
[ "$(find . -name '*.part' | wc -l)" = 1 ] || bad "the part of a living run was removed"
kill -TERM $living
wait $living || true
no_parts "the living run"

# ---- what files may name, and what is printed of them
mkdir -p scenes/below
cat >tetra.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
OBJ
cp tetra.obj scenes/below
scene() { printf '{"frames": 1, "body": {"kind": "rigid", "mesh": "%s", "spacing": 0.3}}' "$1" >scenes/s.json; }
scene below/tetra.obj
expect 0 "" run scenes/s.json --quiet
for outside in ../tetra.obj below/../../tetra.obj "$PWD/tetra.obj"; do
    scene "$outside"
    expect 2 "is outside the scene's folder; put the file beside the scene, or allow such paths with --allow-paths" run scenes/s.json --quiet
    expect 2 "is outside the scene's folder" info scenes/s.json
    expect 0 "" run scenes/s.json --quiet --allow-paths
    expect 0 "" --allow-paths info scenes/s.json
done
scene ..tetra.obj # a name, not a way up
expect 2 "check its name" run scenes/s.json --quiet
escape=$'\e'
printf '{"frames": 1, "name": "\\u001b]0;owned\\u0007", "rope": {}}' >n.json
expect 2 '"name" holds the control character 0x1b; leave it out' run n.json
printf '{"frames": 1, "\\u001b[31mred\\u009b": 1}' >k.json
expect 2 "unknown key" run k.json
expect 2 "no scene" run "x${escape}[31m"
for file in n.json k.json "x${escape}[31m"; do
    "$program" run "$file" >all 2>&1 || true
    if grep -q "$escape" all || grep -q $'\xc2\x9b' all; then bad "an escape sequence of $file was printed"; fi
done
finish
