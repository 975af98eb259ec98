#include "graph/degree_order.h"
