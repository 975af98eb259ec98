/* specs.c: calls that handle the names (specs) of graphs, orders and files. */
#include "../graph/generate.h"
#include "../graph/reorder.h"
#include "../graph/table_layout.h"
#include "internal.h"

/* Defines a call that returns a row of a table. The table ends with a NULL name. */
#define ROW_AT(call, table)                                                                                          \
    bool call(int index, gtrav_spec *spec)                                                                           \
    {                                                                                                                \
        int count = 0;                                                                                               \
        while (table[count].name != NULL)                                                                            \
            count++;                                                                                                 \
        if (index < 0 || index >= count)                                                                             \
            return false;                                                                                            \
        *spec = (gtrav_spec){table[index].name, table[index].syntax, table[index].help};                             \
        return true;                                                                                                 \
    }

ROW_AT(gtrav_generator_at, generators)
ROW_AT(gtrav_order_at, reorderings)

bool gtrav_edge_columns(const char *header, unsigned columns[2])
{
    return table_has_known_header(header, columns);
}

int gtrav_check_order(const char *spec, gtrav_error *public_error)
{
    struct reorder reorder;
    struct library_call call;
    REQUIRE(public_error, spec != NULL);
    if (call_begin(&call, NULL, NULL, public_error))
        reorder_parse(spec, &reorder, &call.error);
    return call_end(&call);
}

int gtrav_check_write(const char *path, gtrav_error *public_error)
{
    struct library_call call;
    REQUIRE(public_error, path != NULL);
    if (call_begin(&call, NULL, NULL, public_error))
        graph_write_check(path, &call.error);
    return call_end(&call);
}
