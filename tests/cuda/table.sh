#!/usr/bin/env bash
# table.sh BUILD [GROUP...]: one table of everything that a machine with an NVIDIA GPU can say about the CUDA backend; `./dev test-cuda` builds
# first. Rows run side by side, JOBS at a time (one for each core), and are told in their order as they end. What they say is in out/cuda/.
#   equal     every case, setting and edit, CPU against GPU        golden   every golden hash        scenes   every scene, 600 frames
#   rare      what lists seldom do
#   faults    the N-th call of CUDA fails, world by world          gl       attributes in OpenGL's buffers
#   memcheck  racecheck    every scene and world, small, under compute-sanitizer
#   alone     what is timed, one after the other: what an edit costs, what copies cost, pliant verify
set -uo pipefail
export PLIANT_LONG=1 # all that there is
build=$1
shift
export PLIANT_CUDA_MODULE=${PLIANT_CUDA_MODULE:-$(cd "$build" && pwd)/libpliant_cuda.so}
groups=${*:-equal rare golden scenes faults gl memcheck racecheck alone}
jobs=${JOBS:-$(nproc)}
equal=$build/tests/cuda/cuda_equal faults=$build/tests/cuda/cuda_faults
out=out/cuda
rm -rf "$out"
mkdir -p "$out"

# row WHAT SECONDS COMMAND...
count=0 started=0 told=0 failures=0
row()
{
    local what=$1 limit=$2 at=$count
    shift 2
    count=$((count + 1))
    while [ $((started - $(ended))) -ge "$jobs" ]; do
        wait -n
        tell
    done
    started=$((started + 1))
    {
        since=$SECONDS status=0
        timeout "$limit" "$@" >"$out/$at.log" 2>&1 </dev/null || status=$?
        [ $status = 77 ] && result=skipped || result=passed
        [ $status = 0 ] || [ $status = 77 ] || result="FAILED $status"
        [ $status = 124 ] && result="FAILED: over $limit s"
        printf '| %s | %-8s | %4d s |\n' "$what" "$result" $((SECONDS - since)) >"$out/$at.row"
    } &
}

ended() { find "$out" -name '*.row' | wc -l; }

# In their order, as far as they have ended.
tell()
{
    while [ -s "$out/$told.row" ]; do
        cat "$out/$told.row"
        grep -q FAILED "$out/$told.row" && failures=$((failures + 1)) && tail -5 "$out/$told.log" | sed 's/^/    /'
        told=$((told + 1))
    done
}

catch_up()
{
    local left=0
    while [ "$told" -lt "$count" ] && [ $left != 127 ]; do # 127: nobody is left
        wait -n
        left=$?
        tell
    done
    [ "$told" = "$count" ] || failures=$((failures + count - told))
}

families=('balloon|drape|hammock|skins|skins, edits' 'tangled|tangled, watched|skins, watched' 'bowl|bullets|glass|conveyor|sandpile|tumbler|sand, .*'
    'stack.*|cover|trampoline.*|melt|melting' 'company.*|rain' 'jelly|pile|orient|lattice' 'bent_metal|squash|wear.*' 'cantilever|soft_bar'
    'curtain|flag' 'flags, cut' rope stiffness 'tear|edits, .*' 'tiles.*|paper_plane' 'objects.*|oddments')

# of_family PATTERN: the names that match it; `rest`: that match none.
of_family()
{
    if [ "$1" != rest ]; then grep -xE "$1"; else grep -vxE "$(IFS='|'; echo "${families[*]}")"; fi
}

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
echo '| what | result | time |'
echo '| --- | --- | --- |'
for group in $groups; do
    case $group in
        equal) while read -r name; do row "equal: $name" 600 "$equal" case "$name"; done < <("$equal" case list) ;;
        golden) while read -r name; do row "golden: $name" 600 "$equal" golden tests/scenes/golden.txt "$name"; done < <(
            sed '/^#/d; s/ .*//' tests/scenes/golden.txt | uniq) ;;
        scenes) while read -r name; do row "600 frames: $name" 900 "$equal" scene "$name" 600; done < <("$build/pliant" list | sed 's/ .*//') ;;
        faults) while read -r name; do row "faults: $name" 300 "$faults" "$name"; done < <("$faults" list) ;;
        rare) row "lists that outgrow their room, crowds, frames that are not calm" 300 "$equal" rare ;;
        gl) row "OpenGL's buffers" 120 "$build/tests/cuda/cuda_gl" ;;
        memcheck | racecheck)
            [ -n "$sanitizer" ] || { echo "| $group | skipped: there is no compute-sanitizer | |"; continue; }
            # A tool takes long over each kernel when it first sees it: worlds that run the same ones share a process. Graphs with branches are
            # beyond racecheck, and a filter of kernels (--kernel-name-exclude, 2025.3) ends it with faults of its own.
            for family in "${families[@]}" rest; do
                mapfile -t names < <("$equal" small list | of_family "$family")
                [ ${#names[@]} = 0 ] || row "$group: $(printf '%s; ' "${names[@]}")" 600 \
                    "$sanitizer" --tool "$group" --error-exitcode 9 "$equal" --no-graph small "${names[@]}"
            done ;;
        alone)
            catch_up
            jobs=1
            row "pliant verify" 1200 "$build/pliant" verify
            row "what an edit costs" 300 "$equal" edits
            row "what a frame costs, without copies" 300 "$equal" --no-copies copies
            row "what a frame costs" 300 "$equal" copies ;;
        *) echo "table.sh: there is no group '$group'" >&2; exit 2 ;;
    esac
done
catch_up
skipped=$(cat "$out"/*.row | grep -c '| skipped ')
printf '\n%d of %d failed, %d skipped\n' "$failures" "$count" "$skipped"
[ "$failures" = 0 ] && [ "$skipped" -lt "$count" ] # a table that shows nothing has failed
