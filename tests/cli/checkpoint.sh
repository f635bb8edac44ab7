#!/usr/bin/env bash
# checkpoint.sh PROGRAM: a run that is killed at any moment goes on from its last whole checkpoint to the same hash.
set -euo pipefail
program=$1
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
cd "$work"
scene=(flag --set "cloth.size=[24,24]" --frames 200)

"$program" run "${scene[@]}" --threads 1 --quiet --stats whole.json --save whole.snap --out whole.pc2
want=$(hash_in whole.json)
[ -n "$want" ] || bad "no hash"

# A snapshot half-way, resumed on other lanes and threads.
"$program" run "${scene[@]:0:3}" --frames 100 --threads 2 --quiet --save half.snap
for options in "--threads 1 --lanes 1" "--threads 3 --lanes 0" "--threads 2"; do
    "$program" run "${scene[@]}" --resume half.snap --quiet --stats resumed.json $options
    [ "$(hash_in resumed.json)" = "$want" ] || bad "resumed with $options: $(hash_in resumed.json) instead of $want"
done

# Killed at many moments: each time the checkpoint is whole, and so is every file under its final name.
killed=0
for delay in 0.05 0.1 0.15 0.2 0.3 0.4; do
    rm -f run.snap run.pc2 run.ply
    "$program" run "${scene[@]}" --threads 1 --quiet --save run.snap --checkpoint-every 3 --out run.pc2 --out run.ply &
    pid=$!
    sleep $delay
    if kill -9 $pid 2>/dev/null; then killed=$((killed + 1)); fi
    wait $pid 2>/dev/null || true
    if [ -e run.pc2 ]; then cmp -s run.pc2 whole.pc2 || bad "a half-written run.pc2 after $delay s"; fi
    [ -e run.snap ] || continue
    "$program" run "${scene[@]}" --resume run.snap --threads 2 --quiet --stats resumed.json || bad "could not resume after $delay s"
    [ "$(hash_in resumed.json)" = "$want" ] || bad "killed after $delay s: $(hash_in resumed.json) instead of $want"
done
[ $killed -gt 0 ] || bad "no run lasted long enough to be killed"

# Without --save, checkpoints have a place of their own.
"$program" run "${scene[@]:0:3}" --frames 4 --threads 1 --quiet --checkpoint-every 2
[ -s out/flag.checkpoint ] || bad "no out/flag.checkpoint"

# An interrupt ends the run after its frame, and what was asked for is written.
"$program" run curtain --frames 1000000 --threads 1 --quiet --save stopped.snap --stats stopped.json --out running_%04d.ply &
pid=$!
for _ in $(seq 3000); do [ -e running_0002.ply ] && break; sleep 0.1; done # it runs; on a busy machine that takes a while
kill -INT $pid 2>/dev/null || true
code=0
wait $pid || code=$?
[ $code = 1 ] || bad "an interrupted run ended with $code"
[ -s stopped.snap ] && [ -s stopped.json ] || bad "an interrupted run did not write its files"

# A checkpoint that cannot be written costs neither the run nor its other files; the one before stays.
(trap '' XFSZ; ulimit -f 8; expect 1 "no checkpoint of frame 3; the run continues" run "${scene[@]:0:3}" --frames 7 --checkpoint-every 3 \
    --stats went_on.json --quiet
[ "$(grep -c 'the run continues' stderr)" = 1 ] || bad "more than once: $(cat stderr)"; exit $failures) || bad "a checkpoint that fails"
grep -q '"frames": 7' went_on.json || bad "a checkpoint that could not be written ended the run"
expect 0 "" run "${scene[@]:0:3}" --frames 5 --resume out/flag.checkpoint --quiet

# Broken snapshots, and snapshots of something else.
expect 2 "error:" run "${scene[@]}" --resume missing.snap
size=$(stat -c %s half.snap)
for part in 0 1 7 64 $((size / 2)) $((size - 1)); do
    head -c "$part" half.snap >cut.snap
    expect 2 "error:" run "${scene[@]}" --resume cut.snap
done
echo "no snapshot" >text.snap
expect 2 "error:" run "${scene[@]}" --resume text.snap
expect 2 "use the scene that made it" run rope --resume half.snap
expect 2 "--frames" run "${scene[@]:0:3}" --frames 50 --resume half.snap

# What --set changes is applied to a resumed run, or refused; never ignored.
resumed() { expect "$1" "$2" run "${scene[@]}" --resume half.snap --quiet --stats resumed.json "${@:3}"; }
for set in substeps=3 iterations=2 integrator=bdf2 gravity=[0,-1,0] damping=0.5 internal_damping=0.5 wind.gust=0.9 \
    "wind.velocity=[9,0,0]"; do
    rm -f resumed.json
    resumed 0 "" --set "$set"
    [ -s resumed.json ] && [ "$(hash_in resumed.json)" != "$want" ] || bad "--set $set was ignored by a resumed run"
done
grep -q '"iterations": 1,' resumed.json || bad "a setting that was not given changed"
resumed 2 "--set cloth.mass=9 cannot be applied" --set cloth.mass=9
resumed 2 "--set cloth.velocity=[1,0,0] cannot be applied" --set "cloth.velocity=[1,0,0]"
resumed 2 "--set cloth.drag=3 cannot be applied" --set cloth.drag=3
resumed 2 "--set cloth.size=[25,24] cannot be applied" --set "cloth.size=[25,24]"
resumed 0 "" --set frames=150
expect 2 "half.snap was not made from this scene: it has 576 particles and the scene 4900" run flag --frames 150 --resume half.snap

# A snapshot of another scene with as many particles is refused, whatever the difference; its own is taken.
cloth='"cloth": {"size": [10, 10]'
printf '{"frames": 9, %s}}' "$cloth" >a.json
expect 0 "" run a.json --frames 3 --quiet --save a.snap
expect 0 "" run a.json --frames 5 --quiet --resume a.snap
others() { printf "$2" >b.json; expect 2 "a.snap was not made from this scene: $1" run b.json --resume a.snap; }
others "it has 502 distance constraints and the scene 99" '{"rope": {"segments": 99}}'
others "it has 0 shapes and the scene 1" "{$cloth}, \"shape\": {\"kind\": \"plane\"}}"
others "distance constraint 0 is another" "{$cloth, \"width\": 3}}"
others "the mass of particle 0 is another" "{$cloth, \"mass\": 3}}"
others "the mass of particle 9 is another" "{$cloth, \"pinned\": 9}}"
others "the radius of particle 0 is another" "{$cloth, \"radius\": 0.01}}"
others "object 0 is another" '{"cloth": [{"size": [5, 10]}, {"size": [5, 10]}]}'
printf '{"shape": {"kind": "sphere", "radius": 0.1, "position": [0, -1, 0]}, %s}}' "$cloth" >a.json
expect 0 "" run a.json --frames 3 --quiet --save a.snap
expect 0 "" run a.json --frames 5 --quiet --resume a.snap
others "shape 0 is another" "{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1, \"position\": [0, -2, 0]}, $cloth}}"
others "shape 0 is another" "{\"shape\": {\"kind\": \"box\", \"position\": [0, -1, 0]}, $cloth}}"
printf '{"shape": {"kind": "sphere", "radius": 0.1, "position": [0, -1, 0], "velocity": [1, 0, 0], "spin": [0, 1, 0]}, %s}}' "$cloth" >moving.json
expect 0 "" run moving.json --frames 3 --quiet --save a.snap
expect 0 "" run moving.json --frames 5 --quiet --resume a.snap
for motion in '"velocity": [2, 0, 0], "spin": [0, 1, 0]' '"velocity": [1, 0, 0], "spin": [0, 2, 0]' '"velocity": [1, 0, 0]' '"spin": [0, 1, 0]'; do
    others "shape 0 is another" "{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1, \"position\": [0, -1, 0], $motion}, $cloth}}"
done
expect 0 "" run a.json --frames 3 --quiet --save a.snap
# What a --set makes other, it may be given again; without it the snapshot is another's.
expect 0 "" run a.json --frames 3 --quiet --save a.snap --set shape.radius=0.3
expect 0 "" run a.json --frames 5 --quiet --resume a.snap --set shape.radius=0.3
expect 2 "a.snap was not made from this scene: shape 0 is another" run a.json --frames 5 --quiet --resume a.snap
# What tears, flows, melts or is moved stays its own: no constraint or shape is as it was.
for scene in "tear 12" "bent_metal 40" "squash 20" "bowl 5"; do
    read -r name frames <<<"$scene"
    expect 0 "" run "$name" --frames "$frames" --quiet --save own.snap
    expect 0 "" run "$name" --frames "$((frames + 1))" --quiet --resume own.snap
done
wax=(melt --set body.spacing=0.12 --quiet) soft=(--set heat.conductivity=300000) # which is in the snapshot
expect 0 "" run "${wax[@]}" "${soft[@]}" --frames 30 --save own.snap --stats half.json
grep -q '"molten": [1-9]' half.json || bad "nothing has melted: $(grep heat half.json)"
expect 0 "" run "${wax[@]}" --frames 40 --resume own.snap --stats resumed.json
expect 0 "" run "${wax[@]}" "${soft[@]}" --frames 40 --stats whole.json
[ "$(hash_in resumed.json)" = "$(hash_in whole.json)" ] || bad "wax that has melted goes on otherwise"
heap=(sandpile --set "grains.size=[4,4,4]" --quiet)
expect 0 "" run "${heap[@]}" --frames 2 --save heap.snap
expect 0 "" run "${heap[@]}" --frames 3 --resume heap.snap
for set in grains.mass=3 "shape[0].material.static_friction=0.9"; do
    expect 2 "--set $set cannot be applied" run "${heap[@]}" --frames 3 --resume heap.snap --set "$set"
done
finish
