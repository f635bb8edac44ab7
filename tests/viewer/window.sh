#!/usr/bin/env bash
# window.sh PROGRAM SCENES: the window for real, on a display of its own, with a synthetic mouse and keyboard. What happens is read
# from the program's log.
set -euo pipefail
program=$1 scenes=$2
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
code=0
env -u DISPLAY -u WAYLAND_DISPLAY "$program" view flag >/dev/null 2>&1 || code=$?
if [ $code = 2 ]; then
    echo "skipped: built without a window (libglfw3-dev, libimgui-dev or g++ is not installed)"
    exit 77
fi
folder=$(mktemp -d)
pids=()
finish()
{
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

fail()
{
    echo "wrong: $*"
    cat log 2>/dev/null
    exit 1
}

# Without a screen: a clear word, and exit 1.
env -u DISPLAY -u WAYLAND_DISPLAY "$program" view flag >said 2>&1 && fail "a window without a display?"
grep -q "makes a film without a screen" said || fail "no display: $(cat said)"
"$program" view flag rope >said 2>&1 && fail "two scenes in one window?"
grep -q 'two scenes, "flag" and "rope"' said || fail "two scenes: $(cat said)"

Xvfb -displayfd 3 -screen 0 900x700x24 3>display >/dev/null 2>&1 &
pids+=($!)
for _ in $(seq 600); do [ -s display ] && break; sleep 0.1; done
[ -s display ] || { echo "skipped: Xvfb does not start"; exit 77; }
export DISPLAY=:$(cat display)

# Nothing here counts on a machine that has time: it waits for what happens, five minutes at most.
# wait_for COMMAND...: until the command succeeds.
wait_for()
{
    for _ in $(seq 3000); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}

# until_log WORDS [TIMES]: the log comes to hold so many lines like this.
holds() { [ -f log ] && [ "$(grep -cE "$1" log || true)" -ge "${2:-1}" ]; }
until_log() { wait_for holds "$@" || fail "waited in vain for \"$1\""; }

# The frame that is shown, from a key that does no more than tell it in the log.
asked=0
ask_frame()
{
    asked=$((asked + 1))
    xdotool key k
    until_log '^key k frame' $asked
    frame=$(grep '^key k frame' log | tail -1 | awk '{ print $NF }')
}

# frames_pass COUNT: so many frames go by while it plays.
frames_pass()
{
    ask_frame
    local from=$frame
    while [ $((frame - from)) -lt "$1" ]; do
        sleep 0.1
        ask_frame
    done
}

# press X Y SECONDS: a click that lasts: a busy machine draws few pictures, and a short one may fall between two.
press()
{
    xdotool mousemove "$1" "$2"
    sleep "$3"
    xdotool mousedown 1
    sleep "$3"
    xdotool mouseup 1
}

# try_until "COMMAND" ACTION...: does the action, with seconds that grow as its last argument, until the command succeeds.
try_until()
{
    local done=$1 seconds
    shift
    for seconds in 0.5 1 2 4 8 16 30; do
        "$@" $seconds
        for _ in 1 2 3 4 5 6; do
            eval "$done" && return 0
            sleep $seconds
        done
    done
    return 1
}

# at NAME: where something to click on is, from the log; "X Y".
at() { grep -E "^mark [0-9]+ [0-9]+ $1\$" log | tail -1 | awk '{ print $2, $3 }'; }

iterations() { grep '^state' log | tail -1 | awk '{ print $7 }'; }

has_ended() { ! kill -0 $view 2>/dev/null; }

cp "$scenes/stiffness.json" cloth.json
"$program" view cloth.json --size 800x600 --scale 0.8 --paused --log log >said 2>&1 &
view=$!
pids+=($view)
until_log '^scene stiffness particles 400'
until_log '^size 800 600'
xdotool mousemove 600 500

# Keys: a step, play, pause, reset.
xdotool key period
until_log '^frame 1$'
xdotool key space
until_log '^state playing 1'
frames_pass 10
xdotool key space
until_log '^state playing 0' 2
xdotool key r
until_log '^ask reset'
until_log '^scene stiffness' 2
until_log '^frame 0$' 2

# The mouse takes hold of the cloth's middle, where the camera looks, and pulls it to the right; the particle follows.
xdotool key space
until_log '^state playing 1' 2
xdotool mousemove 400 300
sleep 0.5
xdotool mousedown 1
until_log '^hold [0-9]+ at'
for x in 410 420 430 440 450 460 470 480; do
    xdotool mousemove $x 300
    frames_pass 3
done
frames_pass 30
xdotool mouseup 1
until_log '^dropped'
moved=$(awk '/^hold/ { x = $4 } /^dropped/ { print ($4 - x > 0.08) ? "yes" : "no " $4 - x; exit }' log)
[ "$moved" = yes ] || fail "the particle did not follow: $moved"

# Elsewhere the mouse turns the view: the picture changes although nothing moves.
xdotool key space
until_log '^state playing 0' 3
xdotool key p
until_log '^note wrote stiffness_001.png'
xdotool mousemove 700 100 mousedown 1 mousemove 640 140 mouseup 1 key p
until_log '^note wrote stiffness_002.png'
cmp -s stiffness_001.png stiffness_002.png && fail "turning the view changed nothing"

# A slider: the iterations. It acts at once; the button below gives back what the file has.
before=$(iterations)
drag_slider()
{
    local x y
    read -r x y < <(at iterations)
    xdotool mousemove $((x - 60)) $y mousedown 1
    sleep "$1"
    xdotool mousemove $((x + 30)) $y
    sleep "$1"
    xdotool mouseup 1
}
try_until '[ "$(iterations)" != "$before" ]' drag_slider || fail "the slider did nothing: $before"
grep -q '^ask set .* iterations=' log || fail "the slider set something else"
[ "$(grep -c '^scene stiffness' log)" = 2 ] || fail "the slider began the scene anew"
try_until 'holds "^ask unset"' press $(at "reset values") || fail "no button that gives back what the file has"
is_as_before() { [ "$(iterations)" = "$before" ]; }
wait_for is_as_before || fail "the reset of the parameters did nothing"

# Back in time: the left arrow goes a tenth of a second, and what comes then is done once more.
frame=$(grep '^frame\|^key' log | tail -1 | awk '{ print $NF }')
xdotool mousemove 600 500 key Left
until_log '^ask back'
went_back() { back=$(grep '^frame' log | tail -1 | awk '{ print $2 }') && [ "$back" -lt "$frame" ]; }
wait_for went_back || fail "the arrow did not go back: from $frame to $back"

# Colours and lines of the inside.
xdotool key 6
until_log '^look colour residual'
xdotool key x
until_log '^look colour residual contacts 1'
xdotool key 1 x

# What is under the mouse goes by its name: the cloth's middle, where the camera looks.
xdotool mousemove 400 300
until_log '^under cloth(\[0\])?\[[0-9]+\] at [-0-9. ]+$'
xdotool mousemove 600 500

# Objects go by their names in the panel, and fields without effect are not there: this scene has no heat, so it has no "ambient".
until_log '^mark [0-9]+ [0-9]+ (cloth|cloth\[0\])$'
holds '^mark .* ambient$' && fail "a field without effect is in the panel"

# The scene with a change and its state, as files: the program reads both.
"$program" run cloth.json --frames 1 --quiet
xdotool key t
until_log '^note wrote stiffness_001.snap'
"$program" run cloth.json --resume stiffness_001.snap --frames 2 --quiet >said 2>&1 || true
[ -s stiffness_001.snap ] || fail "no state was saved"
try_until '[ "$(iterations)" != "$before" ]' drag_slider || fail "the slider did nothing again"
wanted=$(iterations)
xdotool mousemove 600 500 key s
until_log '^note wrote stiffness_001.json'
"$program" info stiffness_001.json >said 2>&1 || fail "the saved scene cannot be read: $(cat said)"
grep -q "\"iterations\": $wanted,\$" stiffness_001.json || fail "the saved scene has not the $wanted iterations of the panel"

# Two settings side by side, from the start; the second has what the first had when it was opened.
xdotool key d
until_log '^two views$'
until_log '^scene stiffness' 3
xdotool key p
until_log '^note wrote stiffness_003.png'
xdotool key d
until_log '^one view$'

# Larger letters, and smaller ones.
xdotool key plus
until_log '^letters 0.90'
xdotool key minus
until_log '^letters 0.80' 2

# The pictures of the scenes are drawn, one after the other; a click on one opens it.
xdotool key o
until_log '^thumbnail 0 attach drawn'
xdotool key o
try_until '[ "$(iterations)" = "$before" ]' press $(at "reset values") || fail "the reset of the parameters did nothing again"

# A film, from one key to the next.
if command -v ffmpeg >/dev/null; then
    xdotool key m
    until_log '^note filming stiffness_001.mp4'
    xdotool key space
    until_log '^state playing 1' 3
    frames_pass 30
    xdotool key space
    until_log '^state playing 0' 4
    xdotool key m
    until_log '^note wrote stiffness_001.mp4'
    [ -s stiffness_001.mp4 ] || fail "the film is empty"
    ls | grep -q part && fail "the film left $(ls)"
fi

# The file changes on disk.
sed -i 's/"size": \[20, 20\]/"size": [20, 25]/' cloth.json
until_log '^ask reload'
until_log '^scene stiffness particles 500'
echo '{ broken' >cloth.json
until_log '^ask reload' 2
xdotool mousemove 600 500
ask_frame
kill -0 $view || fail "a broken file ended the program"

# The scenes that are built in: the list opens on a click, and another click chooses.
choose()
{
    press $(at scene) "$1"
    sleep "$1"
    local entry
    entry=$(grep -oE '^mark [0-9]+ [0-9]+ (balloon|bead_on_circle|bent_metal)$' log | tail -1 | awk '{ print $4 }')
    [ -z "$entry" ] || press $(at "$entry") "$1"
}
try_until 'holds "^ask load"' choose || fail "no scene could be chosen"
until_log '^scene (balloon|bead_on_circle|bent_metal) particles'

xdotool search --name Pliant windowsize 640 480
until_log '^size 640 480'
xdotool mousemove 500 300 key q
wait_for has_ended
wait $view || fail "the window ended with $?: $(cat said)"

# A mesh file opens as a little scene of its own; one that is none is refused before a window opens.
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n' >square.obj
rm -f log
"$program" view square.obj --size 640x480 --log log >said 2>&1 &
view=$!
pids+=($view)
until_log '^scene square particles 4'
until_log '^state playing 1'
xdotool mousemove 500 300 key q
wait_for has_ended
wait $view || fail "the mesh's window ended with $?: $(cat said)"
echo 'f 1 2' >bad.obj
"$program" view bad.obj >said 2>&1 && fail "a bad mesh opened"
grep -q 'bad.obj:1' said || fail "no place in: $(cat said)"
