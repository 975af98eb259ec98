/* graph500_reader.h: lets the reference program of the Graph500 benchmark (github.com/graph500/graph500) take the
 * trees of `gtrav graph500 ... --output FILE.npy` from standard input, which must be that file. The program's main.c
 * draws the search keys, its validate.c checks the trees, and its times are only times of reading. programs.ini
 * includes this file in bfs_custom.c. */
#include <stdint.h>
#include <stdio.h>

/* Reads the tree of a root: the row in which the root is its own parent. Without such a row no vertex gets a parent,
 * which is not a valid tree. num_places: number of vertices up to the last one with an edge. */
static inline void read_tree(int64_t root, int64_t *parent, int64_t num_vertices, int64_t num_places)
{
    uint32_t entry = UINT32_MAX;
    long row = 128; /* bytes of the header */
    for (; entry != root; row += 4 * num_vertices)
        if (fseek(stdin, row + 4 * root, SEEK_SET) != 0 || fread(&entry, 4, 1, stdin) != 1)
            return;
    fseek(stdin, row - 4 * num_vertices, SEEK_SET);
    for (int64_t v = 0; v < num_vertices && v < num_places && fread(&entry, 4, 1, stdin) == 1; v++)
        parent[v] = entry == UINT32_MAX ? -1 : (int64_t)entry;
}
