// backend.h: declares the CUDA backend for the host.
#pragma once
#include "model/world.h"

pl_result cuda_open(pl_world *w); // on success, sets world->backend
