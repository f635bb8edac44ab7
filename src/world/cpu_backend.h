// cpu_backend.h: declares the CPU backend.
#pragma once
#include "model/world.h"

extern const backend cpu_backend;
