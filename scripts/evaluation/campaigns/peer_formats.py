"""peer_formats.py: writes graphs as files that other programs read.

A command in dataset/peers.csv names the files that it needs in braces, such as {offsets} and {targets}. Each is
written once for a graph, when the first command needs it.
"""

import numpy as np
from scipy import sparse

MAGIC = b"GTRAVCSR"
HEADER_BYTES = 128  # src/graph/binary.c: magic, version, flags, numbers of vertices and of edges, ...
VERSION, WEIGHTED, SYMMETRIC = 1, 2, 1  # each other flag adds an array
WEIGHT_TYPE, UINT32 = 92, 1  # place of the weights' type in the header; a type
ADJLIST = 0xDEADBEEF  # first number of sc15-pdfs' file of neighbours


def read_gtrav(path, version=VERSION):
    """Reads a .gtrav file in the input's order. Returns offsets (num_vertices + 1) and targets (num_edges), and of a
    WEIGHTED file its weights, which must be whole numbers."""
    with open(path, "rb") as file:
        magic, (found, flags) = file.read(8), np.fromfile(file, np.uint32, 2)
        if magic != MAGIC or found != version or flags > SYMMETRIC:
            raise ValueError(f"{path}: not a .gtrav file in the input's order")
        num_vertices, num_edges = map(int, np.fromfile(file, np.uint64, 2))
        file.seek(WEIGHT_TYPE)
        if version == WEIGHTED and file.read(1)[0] != UINT32:
            raise ValueError(f"{path}: its weights are not whole numbers below 2^32")
        file.seek(HEADER_BYTES)
        offsets = np.fromfile(file, np.uint64, num_vertices + 1)
        return offsets, *(np.fromfile(file, np.uint32, num_edges) for _ in range(version))


def is_symmetric(offsets, targets):
    return same_arrays(transpose(offsets, targets), (offsets, targets))


def same_arrays(some, others):
    return all(map(np.array_equal, some, others))


def transpose(offsets, targets):
    """Returns offsets and targets of the graph with all edges reversed; the targets of each vertex ascend."""
    size = len(offsets) - 1
    matrix = sparse.csr_matrix((np.ones(len(targets), np.int8), targets, offsets.astype(np.int64)), (size, size))
    columns = matrix.tocsc()
    columns.sort_indices()
    return columns.indptr.astype(np.uint64), columns.indices.astype(np.uint32)


def write_gapbs(path, offsets, targets):
    """Writes GAP's serialized graph: whether it is directed, numbers of edges and vertices, the arrays."""
    transposed = transpose(offsets, targets)
    directed = not same_arrays(transposed, (offsets, targets))
    with open(path, "wb") as file:
        file.write(np.uint8(directed).tobytes() + np.array([len(targets), len(offsets) - 1], np.int64).tobytes())
        for array in (offsets, targets, *(transposed if directed else ())):
            array.tofile(file)


def write_gapbs_weighted(path, offsets, targets, weights):
    """Writes the same with weights. It says that the graph is undirected, so that GAP reads no reverse edges, which
    its SSSP does not use."""
    with open(path, "wb") as file:
        file.write(bytes(1) + np.array([len(targets), len(offsets) - 1], np.int64).tobytes())
        offsets.tofile(file)
        np.column_stack([targets, weights]).tofile(file)


def write_adjlist(path, offsets, targets):
    """Writes the graph for sc15-pdfs, with vertices and offsets of 32 bits."""
    header = [ADJLIST, 32, len(offsets) - 1, len(targets), 0]
    with open(path, "wb") as file:
        np.array(header, np.uint64).tofile(file)
        offsets.astype(np.uint32).tofile(file)
        targets.tofile(file)


def write_ligra(path, offsets, targets):
    """Writes Ligra's binary graph: files whose names begin with the path, and an empty file at the path."""
    path.with_name(f"{path.name}.config").write_text(f"{len(offsets) - 1}\n")
    offsets[:-1].astype(np.uint32).tofile(path.with_name(f"{path.name}.idx"))
    targets.tofile(path.with_name(f"{path.name}.adj"))
    path.touch()


# {name in a command: (ending of the file's name, function(path, offsets, targets) that writes it)}
FORMATS = {
    "offsets": ("offsets.bin", lambda path, offsets, targets: offsets.tofile(path)),
    "targets": ("targets.bin", lambda path, offsets, targets: targets.tofile(path)),
    "targets64": ("targets64.bin", lambda path, offsets, targets: targets.astype(np.int64).tofile(path)),
    "gapbs": ("sg", write_gapbs),
    "adjlist": ("adj_bin", write_adjlist),
    "ligra": ("ligra", write_ligra),
}
OF_WEIGHTED = {"gapbs_weighted": ("wsg", write_gapbs_weighted)}  # the same of function(path, offsets, targets, weights)
