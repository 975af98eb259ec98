/* bfs_kball.h: bfs/kball/kball.h under the names that bfs_auto.cu uses. */
#ifndef GTRAV_BFS_KBALL_H
#define GTRAV_BFS_KBALL_H

#include "bfs/kball/kball.h"

namespace BACKEND
{
using kball::ball_growth;
using kball::ball_growth_sample;
static constexpr auto kball_prepare = kball::prepare;
} // namespace BACKEND

#endif
