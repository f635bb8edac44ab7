// components.h: finds the components of a world and lists their particles.
#pragma once
#include "model/particle_lists.h"

// Finds the components. size: the memory that their lists need.
pl_result components_find(pl_world *w, lists_size *size);
// Packs what was found.
void components_list(pl_world *w);
// Does both after an edit. Nothing is changed if the lists do not fit into their memory: then *fits is false.
pl_result components_list_again(pl_world *w, bool *fits);
void components_free(pl_world *w);
