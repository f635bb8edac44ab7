#!/usr/bin/env bash
# blender.sh PROGRAM: Blender shows a cache the right way up and at the right speed, with the settings that the program tells.
set -euo pipefail
command -v blender >/dev/null || { echo "skipped: blender is not installed"; exit 77; }
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$program" run flag --set "cloth.size=[9,9]" --frames 30 --fps 24 --out f_%04d.ply --out f.pc2 --out f_%d.obj 2>told
grep -q 'f.pc2: Blender: .*Forward +Z, Up -Y), and set the frame rate to 24$' told || { cat told; exit 1; }
grep -q 'obj: Blender: import as OBJ with Forward -Z, Up Y' told || { cat told; exit 1; }

cat >check.py <<'PYTHON'
import bpy, struct
def points(path):
    data = open(path, 'rb').read()
    start = data.index(b'end_header\n') + 11
    return [struct.unpack_from('<3f', data, start + 12 * i) for i in range(81)]
def shown(object):
    evaluated = object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [object.matrix_world @ v.co for v in evaluated.data.vertices]
def distance(object, run):  # from the run with y up to the scene with z up
    return max(abs(a - b) for v, p in zip(shown(object), run) for a, b in zip(v, (p[0], -p[2], p[1])))
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_mesh.ply(filepath='f_0000.ply')
cloth = bpy.context.object
cache = cloth.modifiers.new('cache', 'MESH_CACHE')
cache.cache_format, cache.filepath = 'PC2', bpy.path.abspath('f.pc2')
cache.forward_axis, cache.up_axis = 'POS_Z', 'NEG_Y'
for frame, of_run in ((0, 0), (2, 5), (12, 30)):  # 24 frames show 60 of the run
    bpy.context.scene.frame_set(frame)
    far = distance(cloth, points('f_%04d.ply' % of_run))
    print('cache, frame', frame, far)
    assert far < 1e-5
bpy.ops.wm.obj_import(filepath='f_30.obj')
far = distance(bpy.context.selected_objects[0], points('f_0030.ply'))
print('obj', far)
assert far < 1e-5
print('all is well')
PYTHON
blender -b --factory-startup --python-exit-code 1 -P check.py >log 2>&1 || { cat log; exit 1; }
grep -q 'all is well' log
