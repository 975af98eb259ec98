#include "bfs/auto.h"
