#include "graph/bvss.h"
