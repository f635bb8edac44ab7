# golden.sh: what the cross tests share; sourced, not run. With PLIANT_LONG set they do all that they can: ./dev test-long.
long=${PLIANT_LONG:-}

skip()
{
    echo "skipped: $*"
    exit 77
}

need()
{
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
}

# build FOLDER SOURCE CMAKE-ARGUMENTS...: the library and the program, quietly unless it fails.
# A warning fails the test too, but only after the hashes were compared: see warnings().
build()
{
    local folder=$1 source=$2 less=(-DPLIANT_CUDA=OFF -DPLIANT_VIEWER=OFF)
    shift 2
    [ -z "$long" ] || less=()
    mkdir -p "$folder"
    {
        ${EMCMAKE:-} cmake -S "$source" -B "$folder" -G Ninja \
            -DPLIANT_BUILD_TESTS=OFF -DPLIANT_BUILD_BENCH=OFF "${less[@]}" "$@" &&
            cmake --build "$folder" --target pliant_cli
    } >"$folder/build.log" 2>&1 || { tail -60 "$folder/build.log"; exit 1; }
    cat "$folder/build.log" >>"$folder/warnings.log"
}

warnings()
{
    if grep -q ' warning: ' "$1/warnings.log"; then
        grep -m10 ' warning: ' "$1/warnings.log"
        rm -rf "$1" # or the next build has nothing to compile, and nothing to warn of
        echo "the build gives warnings (above)"
        exit 1
    fi
}

# golden FILE MOST "LANES..." COMMAND...: runs every scene of FILE (lines: scene frames hash) that asks for at most MOST
# frames, on each lane width, and compares the hashes. With SLOW set (emulators, -O0) the large scenes run on the widest alone,
# and those that take long only when the test is a long one.
golden()
{
    local file=$1 most=$2 lanes=$3
    shift 3
    local scene frames hash widths width got compared=0 wrong=0
    while read -r scene frames hash; do
        case $scene in '' | '#'*) continue ;; esac
        [ "$frames" -le "$most" ] || continue
        widths=$lanes
        case ${SLOW:+$long$scene} in # each takes 0.1 s or more where it is fast
            bent_metal | bowl | bullets | buoyancy | cover | curtain | drape | dress | droplets | fountain | hair | ink | jelly | melt | mill | \
                pile | stiff_sheet | tower_of_cloth | u_tube | wet_cloth | wet_sand) continue ;;
        esac
        case ${SLOW:+$scene} in
            balloon | bent_metal | bowl | bullets | cantilever | conveyor | cover | curtain | dam_break | drape | flag | glass | jelly | lattice | melt | orient | \
                pile | sandpile | squash | stack | tear | tumbler) widths=${lanes##* } ;;
        esac
        for width in $widths; do
            got=$("$@" run "$scene" --frames "$frames" --lanes "$width" --quiet --stats - </dev/null |
                sed -nE 's/.*"hash": *"([0-9a-f]{16})".*/\1/p')
            compared=$((compared + 1))
            if [ "$got" = "$hash" ]; then
                echo "$scene: $frames frames on $width lanes: $got"
            else
                echo "$scene: $frames frames on $width lanes: ${got:-nothing} instead of $hash"
                wrong=$((wrong + 1))
            fi
        done
    done <"$file"
    [ "$compared" -gt 0 ] || { echo "$file names no scene of at most $most frames"; exit 1; }
    [ "$wrong" -eq 0 ] || { echo "$wrong of $compared differ"; exit 1; }
}
