// pictures.h: what `pliant run` asks of the viewer's recorder, and what it says where the program was built without it.
#ifndef PLIANT_CLI_PICTURES_H
#define PLIANT_CLI_PICTURES_H

#include "options.h"

struct recorder;

// Moves pictures and films from o->outs to o->pictures, and reads --size. Returns an exit code, or -1 to go on.
int pictures_check(struct options *o);
// An exit code, before the first frame; *recorder stays NULL where no pictures are asked for.
int pictures_open(struct recorder **recorder, const struct options *o, const pl_scene_info *info,
                  const pl_world *world);
// These do nothing without a recorder. false: a file is lost, which was told; the others are not.
bool pictures_frame(struct recorder *recorder, const pl_world *world);
bool pictures_close(struct recorder *recorder, const pl_world *world);
void pictures_abort(struct recorder *recorder);

#endif
