#!/usr/bin/env bash
# outputs.sh PROGRAM: where a run writes: links, modes, pipes, devices, a full disk, one name given twice, signals.
set -euo pipefail
program=$1
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
cd "$work"
small=(rope --frames 1 --quiet)

# ---- what stands under the name already
mkdir there
ln -s there/s.json link.json
expect 0 "" run "${small[@]}" --stats link.json
[ -L link.json ] && [ -f there/s.json ] || bad "a link was replaced by a file"
chmod 640 there/s.json
expect 0 "" run "${small[@]}" --stats link.json
[ "$(stat -c %a there/s.json)" = 640 ] || bad "the mode of a file was lost: $(stat -c %a there/s.json)"
mkfifo pipe
cat pipe >piped.json &
reader=$!
expect 0 "" run "${small[@]}" --stats pipe
wait $reader
[ -p pipe ] && [ -n "$(hash_in piped.json)" ] || bad "a pipe was not written through"
mkfifo pipe.pc2
sleep 600 <>pipe.pc2 &
holder=$!
expect 2 "use a regular file" run "${small[@]}" --out pipe.pc2
kill $holder
expect 2 "is a folder" run "${small[@]}" --save there
expect 2 "is a folder" run "${small[@]}" --stats there
# Every file, and every first one of a series, is tried before the run.
for name in x.ply x_%04d.ply x_%d.vtp x.pvd x.pc2; do
    expect 2 "name a file in a folder that exists" run "${small[@]}" --stats tried.json --out "no/$name"
done
mkdir x_0000.ply
expect 2 "cannot write x_0000.ply: it is a folder" run "${small[@]}" --stats tried.json --out x_%04d.ply
[ ! -e tried.json ] || bad "a run began though one of its files could not be written"
[ -z "$(find . -name '*.part')" ] || bad "a part is left"

# ---- a full disk
if [ -c /dev/full ]; then
    ln -s /dev/full full # by a link, so that a fault would cost the link and not the device
    expect 1 "No space left on device" run "${small[@]}" --stats full
    [ -L full ] && [ -c /dev/full ] || bad "a device was replaced"
    for command in "run rope --frames 1 --quiet --stats -" list "info rope" --help "run --help" --version schema; do
        code=0
        # shellcheck disable=SC2086
        "$program" $command >/dev/full 2>stderr || code=$?
        [ $code = 1 ] || bad "pliant $command on a full disk: exit code $code"
        grep -qE "cannot write the standard output: (No space left on device|a write to it failed)" stderr || bad "pliant $command on a full disk said: $(cat stderr)"
        [ "$(wc -l <stderr)" = 1 ] || bad "pliant $command on a full disk said more than once: $(cat stderr)"
    done
fi

# ---- one name twice
expect 2 "is named twice, by --out and by --out" run "${small[@]}" --out a.ply --out ./a.ply
expect 2 "is named twice, by --stats and by --save" run "${small[@]}" --save both --stats both
expect 2 "is named twice, by --stats and by --save" run "${small[@]}" --save link.json --stats there/s.json
printf '{"particles": {"position": [0, 0, 0]}, "frames": 1, "name": "dot & co"}' >dot.json
expect 2 "is named twice, by the scene and by --stats" run dot.json --stats ./dot.json
expect 0 "" run "${small[@]}" --out a.ply --out b.ply --stats /dev/null --save c.snap --checkpoint-every 1

# ---- contacts: the same lines whoever computes, and over a snapshot
pour=(glass --set "grains.size=[6,10,6]" --quiet)
expect 0 "" run "${pour[@]}" --frames 40 --threads 1 --lanes 1 --events whole.jsonl
expect 0 "" run "${pour[@]}" --frames 40 --threads 3 --lanes 4 --events other.jsonl
expect 0 "" run "${pour[@]}" --frames 40 --events -
cmp whole.jsonl stdout || bad "--events - does not write the same lines to the standard output"
[ ! -e - ] || bad "--events - wrote a file of that name"
expect 2 "would mix" run "${pour[@]}" --frames 1 --events - --stats -
expect 2 "needs a file" run "${pour[@]}" --frames 1 --save -
cmp whole.jsonl other.jsonl || bad "the events depend on threads or lanes"
expect 0 "" run "${pour[@]}" --frames 23 --events first.jsonl --save half.snap
expect 0 "" run "${pour[@]}" --frames 40 --events second.jsonl --resume half.snap
cat first.jsonl second.jsonl | cmp - whole.jsonl || bad "the events of a resumed run do not follow"
grep -q '"event": "begin", "a": [0-9]*, "b": [0-9]*, "force": \[' whole.jsonl || bad "no two particles met"
grep -q '"event": "end", "a": [0-9]*, .*"force": \[0, 0, 0\]' whole.jsonl || bad "none parted"
# Grains and folds of cloth on skins: told by the skin's first particle.
cloth=(hammock --set "cloth.size=[9,9]" --set "grains.size=[4,2,4]" --quiet)
expect 0 "" run "${cloth[@]}" --frames 40 --threads 1 --lanes 1 --events skins.jsonl
expect 0 "" run "${cloth[@]}" --frames 40 --threads 3 --events other.jsonl
cmp skins.jsonl other.jsonl || bad "the events of skins depend on threads or lanes"
grep -q '"event": "begin", "a": [0-9]*, "b": [0-9]*, "surface": 0, "force": \[' skins.jsonl || bad "no grain met the cloth"
expect 0 "" run "${cloth[@]}" --frames 31 --events first.jsonl --save half.snap
expect 0 "" run "${cloth[@]}" --frames 40 --events second.jsonl --resume half.snap
cat first.jsonl second.jsonl | cmp - skins.jsonl || bad "the events of skins of a resumed run do not follow"
expect 2 "named twice" run "${pour[@]}" --frames 1 --events e.json --stats e.json

# ---- a table of every frame: whole lines, the same whoever computes and over a snapshot, and it says what the statistics say
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$2"; }
physics() { cut -d, -f 1-29 "$1"; } # what follows are times
"$program" run tear --frames 14 --quiet --threads 1 --lanes 1 --stats table.csv
"$program" run tear --frames 14 --quiet --threads 3 --stats other.csv --save end.snap
"$program" run tear --frames 14 --quiet --stats torn.json
cmp <(physics table.csv) <(physics other.csv) || bad "the table depends on threads or lanes"
[ "$(awk -F, '{ print NF }' table.csv | sort -u)" = 36 ] || bad "lines of the table have $(awk -F, '{ print NF }' table.csv | sort -u) fields"
[ "$(column frame table.csv | tr '\n' ' ')" = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 " ] || bad "frames of the table: $(column frame table.csv)"
[ "$(head -1 table.csv | cut -d, -f 29-30)" = frozen,ms ] && [ -z "$(column ms table.csv | head -1)" ] || bad "times of the table: $(head -2 table.csv)"
said() { sed -nE "s/.*\"$1\": ([-0-9.e+]*).*/\1/p" torn.json; }
for name in kinetic potential elastic; do
    [ "$(column $name table.csv | tail -1)" = "$(said $name)" ] || bad "$name is $(said $name), in the table $(column $name table.csv | tail -1)"
done
for name in splits broken; do
    [ "$(column $name table.csv | awk '{ n += $1 } END { print n }')" = "$(said $name)" ] || bad "$name: $(said $name), in the table $(column $name table.csv | tr '\n' ' ')"
done
[ "$(said splits)" -gt 0 ] || bad "nothing has torn"
"$program" run tear --frames 9 --quiet --save half.snap
"$program" run tear --frames 14 --quiet --resume half.snap --stats second.csv
cmp <(physics table.csv | tail -5) <(physics second.csv | tail -5) || bad "the table of a resumed run does not follow"
[ "$(column splits second.csv | head -1)" = 0 ] || bad "a resumed run has torn before its first step"
# Of a run that fails it shows what led there; of one that cannot begin nothing is left.
printf '{"particles": [{"position": [0, 0, 0], "radius": 0.01, "velocity": [1e5, 0, 0]}, {"position": [9, 0, 0], "radius": 0.01}], "frames": 99}' >far.json
expect 1 "the run stopped at frame" run far.json --quiet --stats far.csv
[ "$(column frame far.csv | tail -1)" -gt 3 ] || bad "the table of a run that failed: $(cat far.csv)"
expect 2 "" run rope --frames 1 --stats none.csv --out no/x.ply
[ ! -e none.csv ] || bad "a table of a run that never began"

# ---- the scene's own name, one of a thing, a plot of one sample
expect 0 "dot & co: 1 particle, 0 constraints, frame 1" run dot.json --threads 1 --stats dot_stats.json --plot dot.svg
grep -q "(median; 1 thread, " stderr || bad "one thread: $(cat stderr)"
! grep -q residual stderr || bad "a residual where nothing is constrained: $(cat stderr)"
grep -q '"scene": "dot & co"' dot_stats.json || bad "the statistics do not use the scene's name"
grep -q 'dot &amp; co' dot.svg || bad "the plot does not use the scene's name"
expect 0 "" run dot.json --frames 0 --plot dot.svg
[ "$(grep -c '<circle' dot.svg)" -ge 7 ] || bad "a plot of one sample shows nothing"
expect 0 "  distance_max  " info rope

# ---- limits, and words for people
expect 2 "from 0 to 256" run rope --threads 257
"$program" run rope --frames 0 --backend cuda --quiet 2>stderr >stdout || grep -q -- "--backend cpu works everywhere" stderr ||
    bad "no GPU: $(cat stderr)"
! grep -q PL_BACKEND stderr || bad "a C name in a message: $(cat stderr)"
printf '\xef\xbb\xbf{"frames": 1}' >bom.json
expect 2 "bom.json:1:1: error: the text begins with a byte order mark (BOM)" run bom.json

# ---- SIGTERM, like an interrupt
"$program" run curtain --threads 1 --quiet --save stopped.snap --stats stopped.json --out running_%04d.ply &
pid=$!
for _ in $(seq 3000); do [ -e running_0002.ply ] && break; sleep 0.1; done # it runs; on a busy machine that takes a while
kill -TERM $pid 2>/dev/null || true
code=0
wait $pid || code=$?
[ $code = 1 ] || bad "a terminated run ended with $code"
[ -s stopped.snap ] && [ -s stopped.json ] || bad "a terminated run did not write its files"
# ---- a file that cannot go on ends where it is; the run and the other files do not
expect 1 "one.pc2 ends with frame" run tear --frames 12 --out one.pc2 --out many.ply --stats torn.json
grep -q '"frames": 12' torn.json || bad "the run ended with one of its files"
[ -s many.ply ] || bad "another file was lost with it"
samples=$(od -An -t d4 -j 28 -N 4 one.pc2) points=$(od -An -t d4 -j 16 -N 4 one.pc2)
[ "$(stat -c %s one.pc2)" = $((32 + 12 * points * samples)) ] || bad "the cache is not whole up to its end"

finish
