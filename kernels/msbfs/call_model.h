/* call_model.h: the model of whole calls for path lengths (call_model.c). */
#pragma once

#include "../../src/algorithm.h"

C_NAMES_BEGIN

extern const struct call_model msbfs_call_model;

C_NAMES_END
