#!/usr/bin/env bash
# program.sh PROGRAM: exit codes, messages, and the files that come out.
set -euo pipefail
program=$1
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$work"

# ---- usage
expect 2 "usage: pliant COMMAND"
expect 0 "usage: pliant COMMAND" --help
expect 0 "pliant 0." --version
expect 2 'no command "runn"; did you mean "run"?' runn
expect 2 'no command "xyzzy"; `pliant --help` lists them' xyzzy
expect 0 "usage: pliant run" help run
expect 2 'no command "rum"' help rum
for command in run list info verify; do
    expect 0 "usage: pliant $command" "$command" --help
done
expect 2 "no scene is given" run
expect 2 "no scene is given" info
expect 2 'did you mean "flag"?' run flagg
expect 2 "two scenes" run flag rope
expect 2 'no option "--fast"' run flag --fast
expect 2 'did you mean "--substeps"?' run flag --substpes 3
expect 2 "needs a value" run flag --frames
expect 2 "a whole number from 0" run flag --frames ten
expect 2 "a whole number from 0" run flag --frames -1
expect 2 "a whole number from 1" run flag --substeps 0
expect 2 "this machine has" run flag --lanes 3
expect 2 '"xpbd"' run flag --solver magic
expect 2 '"bdf1", "bdf2"' run flag --integrator euler
expect 2 '"dt" is 0' run flag --dt 0
expect 2 "cpu or cuda" run flag --backend abacus
expect 2 "a name ending in" run flag --out x.xyz
expect 2 "ending in .svg" run flag --plot x.png
expect 2 "only energy, residual, time and probes" run flag --plot hope=x.svg
expect 2 "named twice" run flag --plot x.svg --plot energy=x.svg
expect 2 "use a particle, a dot, and x, y, z" run flag --probe flag
expect 2 'no object called "flg"' run flag --probe "flg[3].y"
expect 2 '"flag[0]" to "flag[4899]" exist' run flag --probe "flag[4900].y"
expect 2 "takes no value" run flag --quiet=yes
expect 2 "a number from 0.001 to 1000" run flag --time-scale 0
expect 2 "a number from 0.001 to 1000" run flag --time-scale fast
expect 2 "takes no arguments" list all
expect 2 "cannot write" run rope --frames 1 --out no/such/folder/x.ply
expect 2 "cannot write" run rope --frames 1 --stats no/such/folder/x.json
expect 2 "cannot write" run rope --frames 1 --save no/such/folder/x.snap

# ---- bad scenes
printf '{\n  "cloth": {"size": [4, 4],}\n}\n' >trailing.json
expect 2 "trailing.json:2:28: error: unexpected '}'" run trailing.json
printf '{"cloth": {"sise": [4, 4]}}' >unknown.json
expect 2 'unknown.json:1:12: error: unknown key "sise" in cloth; did you mean "size"?' run unknown.json
expect 2 'unknown.json:1:12: error:' info unknown.json
printf '{"cloth": {"mesh": "missing.obj"}}' >mesh.json
expect 2 'mesh.json:1:20: error: "missing.obj": cannot read it' run mesh.json
printf '{"cloth": {"mesh": "mesh.json"}}' >mesh.json # it names itself
expect 2 'mesh.json:1:1: error: no faces in it' run mesh.json
expect 2 "missing.json:1:1: error: cannot read it" run missing.json
ln -s loop.json loop.json
expect 2 "loop.json:1:1: error: cannot read it" run loop.json
expect 2 "not a regular file" run ./
mkfifo pipe.json
expect 2 "not a regular file" run pipe.json
expect 2 "GB of memory" run flag --set "cloth.size=[16000,16000]"
expect 2 '--set cloth.sizes=[4,4]:1:7: error: unknown key "sizes" in cloth; did you mean "size"?' run flag --set "cloth.sizes=[4,4]"

# ---- probes: the pendulum's bob after 0.1 s of nearly free fall, in the statistics, the table and a plot of its own
expect 0 "" run pendulum --frames 10 --quiet --integrator bdf2 --dt 0.01 --substeps 20 --probe bob.y --probe "pivot[0].speed" \
    --stats probes.json --plot all.svg --plot probes=probes.svg
grep -qE '"probes": \{"bob.y": 0.95[01][0-9]*, "pivot\[0\].speed": 0\}' probes.json || bad "probes: $(grep probes probes.json)"
grep -q '>bob.y<' probes.svg && ! grep -q '>kinetic<' probes.svg || bad "probes=FILE does not plot the probes alone"
grep -q '>bob.y<' all.svg && grep -q '>kinetic<' all.svg || bad "--plot FILE does not plot all panels"
expect 0 "" run pendulum --frames 2 --quiet --probe bob.y --stats probes.csv
[ "$(head -1 probes.csv | sed 's/.*,//')" = bob.y ] && [ "$(sed -n '2s/.*,//p' probes.csv)" = 1 ] || bad "probes.csv: $(cat probes.csv)"

# ---- a run, and what it writes
expect 0 "" run flag --frames 3 --set "cloth.size=[9,9]" --quiet --stats s.json --plot p.svg --save end.snap \
    --out last.ply --out "f_%02d.ply" --out all.pc2 --out all.pvd --out last.vtp
[ ! -s stdout ] && [ ! -s stderr ] || bad "--quiet was not quiet: $(cat stderr stdout)"
ls >listing
for file in s.json p.svg end.snap last.ply f_00.ply f_03.ply all.pc2 all.pvd all_0000.vtp all_0003.vtp last.vtp; do
    [ -s $file ] || bad "$file was not written"
done
cmp -s last.ply f_03.ply || bad "the last frame differs from the numbered one"
for field in scene backend threads lanes frames substeps iterations particles bodies constraints colours ms_per_frame mean median \
    p99 stages residual max convergence force_error rigid_strain penetration momentum energy kinetic potential elastic memory_bytes hash; do
    grep -q "\"$field\":" s.json || bad "no $field in the statistics"
done
grep -q '"particles": 81,' s.json || bad "not 81 particles"
grep -q '<svg' p.svg || bad "the plot is no SVG"
! ls ./*.part >/dev/null 2>&1 || bad "a part is left: $(ls ./*.part)"
if command -v python3 >/dev/null; then
    python3 -c 'import json; s = json.load(open("s.json")); assert len(s["hash"]) == 16 and s["frames"] == 3 and s["constraints"]["distance"] > 0' ||
        bad "the statistics are no JSON"
    python3 -c 'import xml.dom.minidom as x; x.parse("p.svg"); x.parse("all.pvd")' || bad "the plot or the collection is no XML"
fi

# ---- the same bits
for options in "--lanes 1 --threads 1" "--lanes 0 --threads 3" "--threads 2"; do
    "$program" run flag --frames 3 --set "cloth.size=[9,9]" --quiet --stats - $options >other.json
    [ "$(hash_in other.json)" = "$(hash_in s.json)" ] || bad "another hash with $options"
done

# ---- temperatures, where there are any
"$program" run melt --frames 1 --quiet --stats - | grep -q '"heat": {"total": .*"molten": 0}' || bad "melt has no heat"
! grep -q '"heat"' s.json || bad "a flag has heat"

# ---- expectations
expect 0 "expectations hold" run pendulum
expect 0 "" run pendulum --set integrator=bdf1 --quiet # changed: not checked
expect 1 "energy.total is" run pendulum --set integrator=bdf1 --expect
sed 's/\[9.457, 9.653\]/[9.9, 10]/' "$source/scenes/pendulum.json" >wrong.json
expect 1 "energy.total is 9.5" run wrong.json
expect 0 "" run wrong.json --frames 10 --quiet # not its whole length

# ---- what blows up is told, and leaves no files
printf '{"frames": 50, "particles": {"position": [0, 0, 0], "mass": 1e-12, "force": [0, 1e12, 0]}}' >blow.json
expect 1 "the run stopped at frame" run blow.json --out blow.ply --stats blow_stats --save blow.snap
! ls blow.ply blow_stats blow.snap ./*.part >/dev/null 2>&1 || bad "a failed run left files"

# ---- the scene in the documents is one
awk '/^```json$/ { on = 1; next } /^```$/ { if (on) exit } on' "$source/docs/scenes.md" >documented.json
expect 0 "expectations hold" run documented.json --threads 1

# ---- list and info
"$program" list >list.txt
for scene in oscillator charged_rod bead_on_circle pendulum flag stiffness damping soft_bar rope curtain paper_plane; do
    grep -q "^$scene  *[A-Z]" list.txt || bad "$scene is not listed"
done
expect 0 "24,012" info flag
expect 0 "warning: nothing is held" info flag --set cloth.pinned=[]
expect 0 "warning: 30000 m from the origin, in substeps of" info rope --set rope.from=[-0.8,30000,0] --set rope.to=[0.8,30000,0]
expect 0 "is lost in the rounding of float32" run rope --frames 1 --set rope.from=[-0.8,30000,0] --set rope.to=[0.8,30000,0]

# ---- finite elements: classic PBD has no compliance for them, and the residual is not theirs
expect 0 "warning: solver is pbd, which ignores the compliance of its 960 finite elements: they may diverge; use xpbd" info bent_metal --set solver=pbd
expect 0 "warnings        none" info cantilever
expect 0 "warnings        none" info flag --set solver=pbd
expect 0 "neo-Hookean ones diverge" info bent_metal --set solver=pbd --set "bar[0].model=neo_hookean"
expect 0 "pliant: warning: solver is pbd, which ignores the compliance of its 960 finite elements" run bent_metal --solver pbd --frames 1
expect 0 "residual not measured" run cantilever --frames 1 --stats e.json
grep -q '"residual": {"mean": null, "max": null, "count": 0}' e.json || bad "the residual of elements was counted"

# ---- convergence: told by a run, expected by info, and mended by the advice; without settings a scene gets enough
cat >hang.json <<'END'
{"frames": 40, "damping": 8, "cloth": {"size": [30, 30], "width": 1, "height": 1, "mass": 0.3, "stretch": {"compliance": 0.002},
 "shear": {"compliance": 0.004}, "bending": "none", "drag": 0, "pinned": "top"}}
END
expect 0 "warning: forces will be off by 51" info hang.json --set substeps=20
expect 0 "warning: forces are off by 49.2 %, so constraints act 2.0 times as soft as their compliance says; use substeps 37 and iterations 2 for 5 %" run hang.json --substeps 20 --stats e.json
grep -q '"convergence": {"force_error": 0.[45][0-9]*, "settled": true, "count": [0-9]*, "rigid_strain": null, "rigid_count": 0, "substeps": 3[0-9], "iterations": 2}' e.json ||
    bad "the convergence is $(grep convergence e.json)"
expect 0 "forces off by 3" run hang.json --stats e.json
! grep -q "warning: forces" stderr || bad "the settings of a scene without any are too few: $(cat stderr)"
grep -q '"substeps": 3[0-9],' e.json && grep -q '"iterations": 2,' e.json || bad "the settings are not by stiffness: $(grep -E '"(substeps|iterations)"' e.json)"
expect 0 "warning: rigid distances are stretched by" run hang.json --frames 60 --substeps 2 --set cloth.stretch.compliance=0 --set cloth.shear.compliance=0
expect 0 "" run hang.json --frames 2 --solver pbd --quiet --stats e.json
grep -q '"convergence": null' e.json || bad "the convergence of pbd was told"

# ---- of one setting given twice the last counts, whichever way it is written
for given in "3 --substeps 7 --set substeps=3" "7 --set substeps=3 --substeps 7"; do
    # shellcheck disable=SC2086
    expect 0 "" run rope --frames 1 --quiet --stats e.json ${given#* }
    grep -q "\"substeps\": ${given%% *}," e.json || bad "not the last of: ${given#* }"
done

# ---- what has no effect is told; a script that moves what is free, and a mesh that is open, are bad files
expect 0 "warning: --size has no effect here; it is only for pictures and films" run rope --frames 1 --size 64x36
expect 0 "warning: --colour has no effect here" run rope --frames 1 --colour speed
printf '{"script": [{"particles": ["r[3]"], "keys": [{"time": 0, "offset": [0, 0, 0]}]}], "rope": {"name": "r"}}' >free.json
expect 2 "free.json:1:13: error: particle 3 moves freely" info free.json
expect 2 "free.json:1:13: error: particle 3 moves freely" run free.json
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n' >open.obj
for kind in '"shape": {"kind": "sdf"' '"body": {"kind": "rigid"'; do
    printf '{%s, "mesh": "open.obj"}}' "$kind" >open.json
    expect 2 'error: "open.obj": ' info open.json
    grep -q "(counted from 0, and faces of more corners cut into triangles)" stderr || bad "how a mesh is counted: $(cat stderr)"
done
expect 0 "% largest" run flag --set "cloth.size=[9,9]" --frames 1

# ---- the documents name every page, and every option
for page in "$source"/docs/*.md; do
    name=$(basename "$page")
    [ "$name" = README.md ] || grep -qF "($name)" "$source/docs/README.md" || bad "docs/README.md does not list $name"
done
for option in $("$program" run --help | sed -nE 's/^  (--[a-z-]+).*/\1/p'); do
    grep -qF -- "\`$option" "$source/docs/cli.md" || bad "docs/cli.md does not tell of $option"
done
expect 0 "warning: shape[3].form.thickness has no effect here; it is only for: bowl" info bowl --set "shape[3].form.thickness=0.01"
expect 0 "warning: cloth[0].fabric has no effect here; it is only for: stvk strain" info flag --set cloth.fabric.shear=2
expect 0 'warning: ambient has no effect here; it is only for: scenes with "heat"' info flag --set ambient=5
expect 0 "warning: body[0].pressure has no effect here; it is only for: balloon" info jelly --set "body[0].pressure=2"

# ---- what looks like a mistake, and can be run
box='"size": [0.4, 0.4, 0.4], "spacing": 0.1'
printf '{"frames": 2, "body": {"kind": "rigid", %s}}' "$box" >rigid.json
expect 0 "thickness has no effect here; it is only for: soft balloon" run rigid.json --set body.thickness=0.1 --stats thick.json
expect 0 "rigid bodies    1" info rigid.json
expect 0 "" run rigid.json --quiet --stats thin.json
[ "$(hash_in thick.json)" = "$(hash_in thin.json)" ] || bad "a thickness that has no effect changed the bits"
grep -q '"bodies": 1,' thin.json || bad "a rigid body is not one body"
expect 0 "body[0] is a jelly that is rigid" info rigid.json --set body.kind=jelly
expect 0 "body[0] is plastic without a yield" info rigid.json --set body.kind=plastic
! grep -q "rigid bodies" stdout || bad "the clusters of a plastic body are counted as rigid bodies"
! "$program" info orient | grep -q "rigid bodies" || bad "the clusters of a tree are counted as rigid bodies"
printf '{"frames": 2, "body": [{"kind": "rigid", %s}, {"kind": "soft", "position": [0, 1, 0], %s}]}' "$box" "$box" >ghost.json
expect 0 'warning: body[1] has no "thickness", so it collides with shapes only' info ghost.json
expect 0 'pliant: warning: body[1] has no "thickness"' run ghost.json
expect 0 "" info ghost.json --set "body[1].thickness=0.05"
! grep -q thickness stdout || bad "a body with a thickness is told to have none"
expect 0 'warning: cloth[0] has no "thickness"' info rigid.json --set 'cloth={"size":[4,4]}'
expect 0 "warnings        none" info flag # alone it meets nothing

# ---- only the error where one field has both
expect 2 "which needs dihedral bending" run flag --set cloth.plastic.yield=0.1
! grep -q "has no effect" stderr || bad "a warning over what is refused: $(cat stderr)"

# ---- cuts in vain
blade='"from": [0, -1, -1], "to": [0, 1, -1], "sweep": [0, 0, 2]'
printf '{"frames": 2, "body": {"name": "b", "kind": "rigid", %s}, "cut": {"of": "b", "time": 0, %s}}' "$box" "$blade" >cut.json
expect 0 'cut[0] has no effect: "b" has no edges' run cut.json
! grep -q "cut nothing" stderr || bad "one cut is told twice: $(cat stderr)"
expect 0 'warning: cut[0] has no effect: "b" has no edges' info cut.json
printf '{"frames": 2, "cloth": {"size": [5, 5], "u": [1, 0, 0], "v": [0, 0, 1], "origin": [-0.55, 0, -0.5]}, "cut": {"time": 0, %s}}' "$blade" >cut.json
expect 0 "" run cut.json
! grep -q "warning" stderr || bad "a cut that cuts is told: $(cat stderr)"
expect 0 "cut[0] cut nothing" run cut.json --set "cut.from=[9,-1,-1]" --set "cut.to=[9,1,-1]"
expect 0 "cut[0] has no effect: it begins at 5 s, and the last frame ends at 0.0333333 s" run cut.json --set cut.time=5
expect 0 "" run cut.json --set cut.time=0.05 --frames 6
! grep -q "warning" stderr || bad "a run that goes on to its cut is told of it: $(cat stderr)"

# ---- meshes that were mended
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n' >inside.obj
printf '{"frames": 1, "body": {"kind": "soft", "spacing": 0.2, "mesh": "inside.obj"}}' >inside.json
expect 0 "pliant: warning: inside.obj: 1 shell was inside out and has been flipped" run inside.json
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 2\nf 2 3 4\nf 1 4 3\n' >inside.obj
expect 0 "flipped to match" info inside.json

# ---- endings, in capitals or not
expect 0 "" run rope --frames 2 --quiet --stats X.CSV --plot X.SVG --out X.PLY
head -1 X.CSV | grep -q "^frame,time," || bad "X.CSV is no table"
head -1 X.PLY | grep -q "^ply" || bad "X.PLY is no PLY"
[ -s X.SVG ] || bad "X.SVG was not written"
expect 2 "a name ending in .json or .csv" run rope --frames 1 --stats x.xml
[ ! -e x.xml ] || bad "x.xml was written"
"$program" run rope --frames 1 --out X.PNG >stdout 2>stderr || grep -q "without pictures\|ffmpeg\|OpenGL\|EGL" stderr || bad "X.PNG: $(cat stderr)"
finish
