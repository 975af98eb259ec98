#include "common/plan.h" /* for bfs_auto.cu */
