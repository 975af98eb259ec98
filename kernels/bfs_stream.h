#include "bfs/stream/stream.h"
