/* call_model.h: the model of whole calls for path lengths (call_model.c). */
#pragma once

#include "../../src/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct call_model msbfs_call_model;

#ifdef __cplusplus
}
#endif
