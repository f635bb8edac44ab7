#!/usr/bin/env bash
# program.sh PROGRAM: pictures and films made by the program, and what it says where it cannot make them. Nothing half-made
# is ever left behind.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fast=(--quiet --size 64x36 --frames 4)
bad=0

wrong()
{
    echo "wrong: $*"
    bad=1
}

# refuses WORDS arguments...: fails before anything is simulated, with the words, and leaves nothing behind.
with=(A=B)
refuses()
{
    local words=$1 code=0
    shift
    rm -rf work && mkdir work
    env "${with[@]}" "$program" run "$@" >said 2>&1 || code=$?
    [ $code != 0 ] || wrong "exit 0: run $*"
    grep -qF "$words" said || wrong "no \"$words\" in: $(cat said)"
    [ -z "$(ls -A work)" ] || wrong "left behind by run $*: $(ls work)"
}

if "$program" run pendulum "${fast[@]}" --out first.png 2>said; then :; else
    if grep -q "built without pictures" said || grep -q EGL said; then
        echo "skipped: $(sed 's/^pliant: error: //' said)"
        exit 77
    fi
    cat said
    exit 1
fi

# A PNG of the right size; the same run gives the same bytes; another frame gives others.
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4 "x" $5 * 16777216 + $6 * 65536 + $7 * 256 + $8 }'; }
[ "$(size_of first.png)" = 64x36 ] || wrong "first.png is $(size_of first.png)"
"$program" run pendulum "${fast[@]}" --out second.png
cmp -s first.png second.png || wrong "two runs gave two pictures"
"$program" run pendulum --quiet --size 64x36 --frames 40 --out third.png
! cmp -s first.png third.png || wrong "frame 4 and frame 40 look the same"

# A sequence: one for each frame, the start included, and its last is the picture of the end.
mkdir sequence
"$program" run pendulum "${fast[@]}" --out 'sequence/x_%03d.png'
[ "$(ls sequence | tr '\n' ' ')" = "x_000.png x_001.png x_002.png x_003.png x_004.png " ] || wrong "the sequence is $(ls sequence | tr '\n' ' ')"
cmp -s sequence/x_004.png first.png || wrong "the sequence ends otherwise than the picture"

# Colours of what nothing has are told of.
"$program" run pendulum --frames 1 --size 64x36 --colour heat --out heat.png 2>said
grep -q 'warning: --colour heat has no effect here; it is only for scenes with "heat"' said || wrong "--colour heat said $(cat said)"

# The picture of a resumed run is that of the whole run.
"$program" run pendulum --quiet --frames 2 --save half
"$program" run pendulum "${fast[@]}" --resume half --out resumed.png
cmp -s resumed.png first.png || wrong "a resumed run looks different"

if command -v ffmpeg >/dev/null; then
    for ending in mp4 gif webp; do
        "$program" run pendulum --quiet --size 64x36 --frames 30 --fps 20 --out film.$ending --out film_$ending.png
        [ -s film.$ending ] || wrong "no film.$ending"
        [ -s film_$ending.png ] || wrong "no picture beside film.$ending"
    done
    if command -v ffprobe >/dev/null; then
        # 30 frames are half a second: pictures at 0, 0.05 ... 0.5 s.
        shape=$(ffprobe -v error -count_frames -select_streams v -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 film.mp4)
        [ "$shape" = 64,36,20/1,11 ] || wrong "film.mp4 is $shape"
    fi
    ls | grep -q part && wrong "left behind: $(ls)"
    refuses "even numbers" pendulum --size 63x36 --out work/x.mp4
    # A disk that is full, as far as this program and its children can tell.
    code=0
    rm -rf work && mkdir work
    (trap '' XFSZ; ulimit -f 16; "$program" run flag --quiet --frames 60 --size 640x360 --out work/x.mp4 >said 2>&1) || code=$?
    [ $code = 1 ] && grep -q "x.mp4" said || wrong "a full disk: exit $code, $(cat said)"
    [ -z "$(ls -A work)" ] || wrong "a full disk left $(ls work)"
fi

code=0
rm -rf work && mkdir work
(trap '' XFSZ; ulimit -f 8; "$program" run flag --quiet --frames 1 --size 640x360 --out work/x.png >said 2>&1) || code=$?
[ $code = 1 ] && grep -q "cannot write work/x.png" said || wrong "a full disk: exit $code, $(cat said)"
[ -z "$(ls -A work)" ] || wrong "a full disk left $(ls work)"

# What cannot be written is lost alone: the run goes on, and its other files are whole. Of numbered pictures those before stay.
# goes_on WORDS arguments...: exit code 1, the words once, and the other files of all frames.
goes_on()
{
    local words=$1 code=0
    shift
    (trap '' XFSZ; ulimit -f 64; env "${with[@]}" "$program" run flag --set "cloth.size=[9,9]" --frames 40 --quiet --out work/k.ply --out work/k.pc2 \
        --stats work/k.json --save work/k.snap "$@" >said 2>&1) || code=$?
    [ $code = 1 ] || wrong "exit $code: run $*: $(cat said)"
    [ "$(grep -cF "$words" said)" = 1 ] || wrong "not once \"$words\" in: $(cat said)"
    grep -q '"frames": 40' work/k.json && [ -s work/k.ply ] && [ -s work/k.snap ] || wrong "run $* lost its other files: $(ls work)"
    [ "$(stat -c %s work/k.pc2)" = $((32 + 41 * 12 * 81)) ] || wrong "run $* cut its cache"
    ! ls work | grep -q part || wrong "left behind by run $*: $(ls work)"
}
rm -rf work && mkdir work
goes_on "cannot write work/x_0000.png" --size 1280x720 --out 'work/x_%04d.png' --out work/last.png
rm -rf work && mkdir -p work/x_0003.png # a folder in the way
goes_on "its last frame is 2" --size 16x16 --out 'work/x_%04d.png' --out work/last.png
[ -s work/x_0002.png ] && [ -s work/last.png ] && [ ! -e work/x_0004.png ] || wrong "of numbered pictures there are $(ls work)"
mkdir -p fake
printf '#!/bin/sh\nhead -c 100000 >/dev/null\nkill -9 $$\n' >fake/ffmpeg # one that is killed
printf '#!/bin/sh\nhead -c 100000 >/dev/null\n' >fake/silent
chmod +x fake/*
rm -rf work && mkdir work
with=("PATH=$folder/fake:$PATH")
goes_on "x.mp4: it was killed by a signal (Killed); run it again; it is not written; the run continues" --size 640x360 --out work/x.mp4
mv fake/silent fake/ffmpeg
goes_on "for work/x.mp4 and gave no reason; run it again; it is not written; the run continues" --size 640x360 --out work/x.mp4
with=(A=B)

refuses "in a folder that exists" pendulum --out nowhere/x.png
mkdir -p d.png
refuses "it is a folder" pendulum --out d.png
refuses "WIDTHxHEIGHT" pendulum --size 12 --out work/x.png
refuses "WIDTHxHEIGHT" pendulum --size 640x --out work/x.png
refuses "at most" pendulum --samples 64 --out work/x.png
refuses "material, speed, strain" pendulum --colour red --out work/x.png
refuses "separated by commas" motor --show joints,bolts --out work/x.png
refuses "separated by commas" motor --show joints, --out work/x.png
refuses "one %d or %04d" pendulum --out 'work/x_%s.png'
refuses "without %d" pendulum --out 'work/x_%d.mp4'
mkdir -p empty
with=("PATH=$folder/empty")
refuses "apt-get install ffmpeg" pendulum --out work/x.mp4
with=("__EGL_VENDOR_LIBRARY_FILENAMES=$folder/none.json")
refuses "EGL" pendulum --out work/x.png
exit $bad
