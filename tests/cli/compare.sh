#!/usr/bin/env bash
# compare.sh PROGRAM: `pliant sweep` and `pliant compare`: usage, tables, pages, and what the numbers must show.
set -euo pipefail
program=$1
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
cd "$work"

# column FILE NAME LINE: one number of a table; LINE 1 is the first trial.
column()
{
    awk -F, -v name="$2" -v line="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == line + 1 { print $at }' "$1"
}

# holds "EXPRESSION": an awk expression is true.
holds() { awk "BEGIN { exit !($1) }" || bad "not true: $1"; }

# ---- usage
expect 2 "no scene is given" compare
expect 2 "no scene is given" sweep
expect 2 "nothing is varied" sweep rope
expect 0 "Presets:" compare --help
expect 0 "usage: pliant sweep" help sweep
expect 2 'did you mean "stiffness"?' compare --preset stifness
expect 2 "use fine, converged, newton or none" compare rope --reference truth
expect 2 "use a field and its values" sweep rope --vary iterations
expect 2 "use a field and its values" sweep rope --vary iterations=
expect 2 "has an empty value" sweep rope --vary iterations=1,,2
expect 2 "names iterations twice" sweep rope --vary iterations=1,2 --vary iterations=3
expect 2 "are more than 1000" sweep rope --vary iterations=$(seq -s, 40) --vary substeps=$(seq -s, 40)
expect 2 "--preset order has its own --vary" compare --preset order --vary substeps=1
expect 2 'no object called "robe"' sweep rope --vary iterations=1 --probe "robe[1].y"
expect 2 '--vary backend has "gpu"; use cpu or cuda' sweep rope --vary backend=cpu,gpu --frames 1
expect 2 '--vary threads has "two"; use whole numbers' sweep rope --vary threads=1,two --frames 1
expect 2 '--vary lanes has "-4"; use whole numbers' sweep rope --vary lanes=-4 --frames 1
expect 2 "cannot make the folder" sweep rope --vary iterations=1 --frames 1 --out no/such/folder

# ---- a sweep: three settings, one of them refused and told
expect 0 "" sweep rope --vary iterations=1,0,8 --frames 5 --out swept --probe "rope[3].y"
grep -qF '"iterations" is 0' stdout || bad "the refused trial is not told of"
[ "$(wc -l <swept/trials.csv)" = 4 ] || bad "trials.csv has $(wc -l <swept/trials.csv) lines"
[ "$(column swept/trials.csv state 2)" = refused ] || bad "the second trial is not refused"
[ "$(column swept/trials.csv hash 1)" = "$("$program" run rope --iterations 1 --frames 5 --stats - --quiet | hash_in /dev/stdin)" ] ||
    bad "a trial has another hash than the run"
for file in index.html sweeps.svg cost.svg time.svg trials.csv; do
    [ -s "swept/$file" ] || [ "$file" = sweeps.svg ] || bad "swept/$file is missing"
done
ls swept | grep -q part && bad "something half-written is left"
if command -v python3 >/dev/null; then
    python3 - <<'P' || bad "a plot is not well-formed XML"
import glob, xml.dom.minidom
for name in glob.glob("swept/*.svg"):
    xml.dom.minidom.parse(name)
P
fi
# the page's own command repeats it
grep -oE 'pliant sweep rope .*' swept/index.html | head -1 | grep -qF -- '--vary iterations=1,0,8 --frames 5' || bad "the command is not repeated"

# ---- values with commas; names that HTML and shells would misread
expect 0 "" sweep flag --vary "cloth.size=[6,6],[8,8]" --frames 2 --out "a <b> & 'c'"
grep -qF '"[8,8]",done' "a <b> & 'c'/trials.csv" || bad "values in brackets were divided"

# ---- jobs: the same numbers without times
expect 0 "" compare rope --vary iterations=1,2,4,8 --frames 5 --jobs 3 --out jobs
expect 0 "" compare rope --vary iterations=1,2,4,8 --frames 5 --out one
for i in 1 2 3 4; do
    [ "$(column jobs/trials.csv hash $i)" = "$(column one/trials.csv hash $i)" ] || bad "jobs change hash $i"
    [ "$(column jobs/trials.csv position_error $i)" = "$(column one/trials.csv position_error $i)" ] || bad "jobs change error $i"
    [ -z "$(column jobs/trials.csv ms_per_frame $i)" ] || bad "times of jobs are told"
done
[ ! -e jobs/cost.svg ] || bad "times of jobs are plotted"

# ---- orders of convergence: BDF1 halves its error with the substep, BDF2 quarters it
expect 0 "" compare damping --frames 60 --vary integrator=bdf1,bdf2 --vary substeps=2,4,8 --out order
for i in 2 3; do
    holds "$(column order/trials.csv position_error $i) < 0.65 * $(column order/trials.csv position_error $((i - 1)))"
    holds "$(column order/trials.csv position_error $((i + 3))) < 0.32 * $(column order/trials.csv position_error $((i + 2)))"
done

# ---- Newton: XPBD comes within 0.01 % of the size; forces within 2 %. What the reference does not cover is told
expect 0 "" compare stiffness --set damping=0 --frames 6 --vary iterations=10,160 --reference newton --out newton
holds "$(column newton/trials.csv position_error_relative 2) < 1e-4 && $(column newton/trials.csv force_error 2) < 0.02"
holds "$(column newton/trials.csv position_error 1) > $(column newton/trials.csv position_error 2)"
expect 0 "does not cover damping" compare stiffness --frames 2 --vary iterations=10 --reference newton --out newton
expect 0 "does not cover contacts" compare glass --frames 1 --vary iterations=1 --reference newton --out newton --set damping=0 \
    --set wind.density=0

# ---- a trial that diverges is told, and the others stand
printf '{"cloth": {"size": [8, 8], "pinned": "top", "velocity": [0, 0, 1]}, "frames": 4}' >fast.json
expect 0 "" compare fast.json --vary "cloth.velocity=[0,0,1],[0,0,1e18]" --out fast
[ "$(column fast/trials.csv state 2)$(column fast/trials.csv state 1)" != donedone ] || bad "1e18 m/s did not diverge"
finish
