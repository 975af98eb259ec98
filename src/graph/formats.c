/* formats.c: the table of formats that gtrav reads, the table of other programs' formats, and the choice of a reader.
 * */
#include <strings.h>

#include "readers.h"
#include "table_layout.h"

#define BLANKS   " \t\r\n"
#define NUMERALS "0123456789"

/* ---- formats that are read ---- */

static bool is_matrix_market(const char *text)
{
    static const char banner[] = "%%MatrixMarket";
    text += strspn(text, BLANKS);
    return strncasecmp(text, banner, sizeof banner - 1) == 0;
}

/* Returns whether the first line that is no comment is "p PROBLEM NUMBER NUMBER". */
static bool is_dimacs(const char *text)
{
    char digit[2];
    for (text += strspn(text, BLANKS); *text == 'c' && strchr(BLANKS, text[1]) != NULL; text += strspn(text, BLANKS))
        text += strcspn(text, "\n");
    return sscanf(text, "p%*[ \t]%*[a-z]%*[ \t]%*[0-9]%*[ \t]%1[0-9]", digit) == 1;
}

static const char *after_comments(const char *text)
{
    for (text += strspn(text, BLANKS); *text == '#' || *text == '%'; text += strspn(text, BLANKS))
        text += strcspn(text, "\n");
    return text;
}

/* Returns whether the first line that is no comment is a property of a graph. */
static bool is_graphalytics(const char *text)
{
    return strncmp(after_comments(text), "graph.", strlen("graph.")) == 0;
}

const struct reader readers[] = {
    {"Matrix Market", "|.mtx|", is_matrix_market, read_matrix_market},
    {"DIMACS", "|.gr|.dimacs|.col|", is_dimacs, read_dimacs},
    {"Graphalytics", "|.properties|", is_graphalytics, read_graphalytics},
    {"METIS", "|.graph|.metis|", NULL, read_metis},
    {"edge list", "|.txt|.e|.el|.edges|.snap|.tsv|.csv|.wel|", NULL, read_edge_list},
    {0},
};

static const struct reader *const edge_list = &readers[4];

/* ---- formats of other programs ---- */

/* Formats of other programs. start: the first bytes after blanks and comments, in upper or lower case. follows: one
 * of these characters must follow on the line; NULL: no condition. what: the format, and how to convert it. */
static const struct foreign {
    const char *start, *follows, *what;
} foreign[] = {
    {"\x28\xb5\x2f\xfd", NULL, "packed by zstd; unpack it by zstd -d, or pack it by gzip"},
    {"BZh91AY&SY", NULL, "packed by bzip2; unpack it by bunzip2, or pack it by gzip"},
    {"\xfd\x37zXZ", NULL, "packed by xz; unpack it by unxz, or pack it by gzip"},
    {"PK\3\4", NULL, "a zip archive, such as .npz; in Python, gtrav.Graph(scipy.sparse.load_npz(FILE))"},
    {"\x93NUMPY", NULL, "an array of NumPy; in Python, gtrav.Graph(numpy.load(FILE))"},
    {"\x89HDF", NULL, "HDF5; in Python, h5py reads it and gtrav.Graph.from_edges() takes its arrays"},
    {"MATLAB ", NULL, "a MATLAB file; in Python, gtrav.Graph(scipy.io.loadmat(FILE)['Problem']['A'][0, 0])"},
    {"PAR1\x15", NULL, "Parquet; in Python, gtrav.Graph.from_parquet(FILE)"},
    {"<gexf", NULL, "GEXF; in Python, gtrav.Graph(networkx.read_gexf(FILE))"},
    {"<graphml", NULL, "GraphML; in Python, gtrav.Graph(networkx.read_graphml(FILE))"},
    {"<?xml", NULL, "XML, such as GraphML; in Python, gtrav.Graph(networkx.read_graphml(FILE)), or read_gexf"},
    {">>", NULL, "graph6 or sparse6; in Python, gtrav.Graph(networkx.read_graph6(FILE)), or read_sparse6"},
    {"Creator", "\"", "GML; in Python, gtrav.Graph(networkx.read_gml(FILE))"},
    {"graph", "[", "GML; in Python, gtrav.Graph(networkx.read_gml(FILE))"},
    {"graph", "{", "DOT; in Python, gtrav.Graph(networkx.nx_pydot.read_dot(FILE))"},
    {"digraph", "{", "DOT; in Python, gtrav.Graph(networkx.nx_pydot.read_dot(FILE))"},
    {"strict", "{", "DOT; in Python, gtrav.Graph(networkx.nx_pydot.read_dot(FILE))"},
    {"*vertices", NUMERALS, "Pajek; in Python, gtrav.Graph(igraph.Graph.Read_Pajek(FILE))"},
    {"*network", NULL, "Pajek; in Python, gtrav.Graph(igraph.Graph.Read_Pajek(FILE))"},
    {"dl", "=", "DL of UCINET; in Python, gtrav.Graph(igraph.Graph.Read_DL(FILE))"},
    {"{", "\"",
     "JSON; in Python, gtrav.Graph(networkx.node_link_graph(json.load(open(FILE)), edges='links')), or "
     "edges='edges'"},
    {"[", "([{]\"" NUMERALS, "JSON or a list of Python; in Python, gtrav.Graph(json.load(open(FILE))) takes pairs"},
};

/* Refuses another program's file. is_table: the user says that it is a table; a table of names is accepted. */
static int refuse_foreign(const char *path, const char *text, size_t length, bool is_table, struct error *error)
{
    const char *first = after_comments(text);
    if (length > 262 && memcmp(text + 257, "ustar", 5) == 0)
        return error_set(error, STATUS_INPUT, "%s: a tar archive, like SuiteSparse's; tar xf FILE, and take its .mtx",
                         path);
    for (const struct foreign *each = foreign; each < foreign + sizeof foreign / sizeof foreign[0]; each++) {
        size_t size = strlen(each->start);
        if (strncasecmp(first, each->start, size) != 0)
            continue;
        const char *next = first + size + strspn(first + size, BLANKS);
        if (each->follows == NULL)
            return error_set(error, STATUS_INPUT, "%s: %s", path, each->what);
        if (!is_table && next + strcspn(next, each->follows) < next + strcspn(next, "\n"))
            return error_set(error, STATUS_INPUT, "%s: %s (--ids text reads a table of names)", path, each->what);
    }
    return STATUS_OK;
}

/* ---- names of files ---- */

/* Finds the reader for a name's ending; NULL: there is none. *stem: length of the name without ending and .gz. */
static const struct reader *find_by_ending(const char *name, size_t *stem)
{
    char ending[16];
    size_t length = strlen(name);
    if (length > 3 && strcasecmp(name + length - 3, ".gz") == 0)
        length -= 3;
    const char *dot = memrchr(name, '.', length);
    *stem = length;
    if (dot == NULL || dot == name)
        return NULL;
    snprintf(ending, sizeof ending, "|%.*s|", (int)(name + length - dot), dot);
    const struct reader *reader = readers;
    while (reader->name != NULL && strcasestr(reader->endings, ending) == NULL)
        reader++;
    if (reader->name != NULL || strcasecmp(ending, "|.gtrav|") == 0)
        *stem = (size_t)(dot - name);
    return reader->name != NULL ? reader : NULL;
}

size_t stem_length(const char *name)
{
    size_t length;
    find_by_ending(name, &length);
    return length;
}

/* ---- the choice ---- */

/* Returns whether the text may be an edge list although neither its name nor a header says so. */
static bool may_be_edges(const char *text)
{
    const char *first = *text == '-' || *text == '"' ? text + 1 : text;
    return *text == '%' || *text == '#' || (*first >= '0' && *first <= '9');
}

int pick_reader(struct text_input *input, const struct load_options *options, const struct reader **reader,
                struct error *error)
{
    const char *text;
    size_t length, stem;
    unsigned column[2];
    bool is_table = options->ids == IDS_TEXT || options->columns != NULL;
    if (text_peek(input, &text, &length, error) != STATUS_OK ||
        refuse_foreign(input->path, text, length, is_table, error) != STATUS_OK)
        return error->status;
    const char *start = text + strspn(text, BLANKS);
    if (*start == '\0' && strlen(text) == length && input->at_end)
        return error_set(error, STATUS_INPUT, "%s: empty file", input->path);
    for (*reader = readers; (*reader)->name != NULL; (*reader)++)
        if ((*reader)->recognizes != NULL && (*reader)->recognizes(text) &&
            !(is_table && (*reader)->read == read_dimacs))
            return STATUS_OK;
    *reader = edge_list;
    if (table_has_known_header(text, column))
        return STATUS_OK;
    if ((*reader = find_by_ending(input->path, &stem)) != NULL)
        return STATUS_OK;
    if (!is_table && !may_be_edges(start))
        return text_error(input, 1, 1, error,
                          "not a graph format known here (Matrix Market, edge list, DIMACS, METIS, .gtrav); --ids "
                          "text reads a table of names");
    *reader = edge_list;
    return STATUS_OK;
}
