/* memory.h: the device memory that an algorithm will take, told before it takes any. Its own prepare() tells, while
 * the device only counts what it is asked for, so that no size is computed twice. */
#pragma once

#include "../../include/gtrav.h"
#include "../algorithm.h"

C_NAMES_BEGIN

/* Tells what a GPU algorithm needs by default on a GPU or the emulator; on each of team_size devices, from `device`
 * on, if it splits a search over several. Uses the device. */
int memory_estimate(const struct algorithm *algorithm, const struct graph *graph, struct device *device, int team_size,
                    gtrav_memory *memory, struct error *error);

/* Before prepare(): if it would take more memory than there is, changes the run's options so that it prepares less,
 * sets run->memory_step and writes that to the note. Fails if it does not fit then, either. held: bytes in use that
 * will be free before prepare(). Does nothing if the device cannot count. */
int memory_fit(const struct algorithm *algorithm, struct run *run, uint64_t held, char note[NOTE_BYTES],
               struct error *error);

C_NAMES_END
