/* memory.h: the device memory that an algorithm will take, told before it takes any. Its own prepare() tells, while
 * the device only counts what it is asked for, so that no size is computed twice. */
#pragma once

#include "../../include/gtrav.h"
#include "../algorithm.h"

/* Tells what a GPU algorithm needs by default on a GPU or the emulator. Uses the device. */
int memory_estimate(const struct algorithm *algorithm, const struct graph *graph, struct device *device,
                    gtrav_memory *memory, struct error *error);

/* Before prepare(): if it would take more memory than there is, changes the run's options so that it prepares less,
 * and writes that to the note. Fails if it does not fit then, either. Does nothing if the device cannot count. */
int memory_fit(const struct algorithm *algorithm, struct run *run, char note[NOTE_BYTES], struct error *error);
