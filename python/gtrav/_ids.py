"""_ids.py: translates between vertices and the ids that the input has for them."""

from __future__ import annotations

from functools import cached_property
from numbers import Number
from typing import Any

import numpy as np

from ._arguments import is_whole, shown
from ._arrays import on_host
from ._errors import InputError, InputTypeError
from ._library import c_texts

ARE_TEXTS = "this graph's ids are text: look up text"
ARE_INTEGERS = "this graph's ids are integers: look up integers"
SPARSE_FROM, SPARSE_TIMES = 1_000_000, 16  # ids are sparse by the rule of the program's --ids auto


def is_arrow(values) -> bool:
    """Whether these are an array of pyarrow. Does not import it."""
    return type(values).__module__.split(".")[0] == "pyarrow"


def as_numbers(values) -> np.ndarray:
    """Makes an array in the machine's byte order; an empty list becomes one of integers."""
    if type(values) is np.ndarray and values.dtype.kind in "iu" and values.dtype.isnative:
        return values
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError("masked elements have no value; leave them out, as compressed() does")
    array = np.asarray(values)
    may_be_large = array.dtype.kind == "O" or (array.dtype.kind == "f" and isinstance(values, (list, tuple)))
    if may_be_large and array.size:
        objects = np.array(values, dtype=object)
        if all(isinstance(each, (int, np.integer)) for each in objects.flat):
            array = _of_64_bits(objects)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    return array.astype(np.int64) if array.size == 0 and array.dtype.kind == "f" else array


def _of_64_bits(objects):
    """Makes an array of int64, or else uint64, of integer objects. NumPy alone would make some of them floats."""
    kind = np.int64 if objects.max() < 2**63 else np.uint64
    try:
        return objects.astype(kind)
    except OverflowError:
        raise _too_large(objects.tolist()) from None


def _too_large(ids):
    return InputError(f"ids have up to 64 bits, signed or not, but these are {shown(ids)}")


def integers(values, what: str) -> np.ndarray:
    """Makes a one-dimensional array of int32, uint32, int64 or uint64; a copy only if the type changes."""
    array = as_numbers(on_host(values))
    if array.ndim > 1:
        raise InputError(f"{what} must be one-dimensional, but has the shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise InputError(f"{what} must be integers, but is of type {array.dtype}")
    return array if array.itemsize >= 4 else array.astype(np.int32)


def is_text(values) -> bool:
    """Whether a list of ids has texts."""
    if type(values) is np.ndarray and values.dtype.kind in "iu":
        return False
    return _kind_of(values) == "text" if is_arrow(values) else as_array(values).dtype.kind == "O"


def _kind_of(values):
    """Returns the kind of values in an array of pyarrow or its dictionary: "text", "integer", or the type itself."""
    import pyarrow.types as types

    kind = values.type.value_type if types.is_dictionary(values.type) else values.type
    is_text = types.is_string(kind) or types.is_large_string(kind)
    return "text" if is_text else "integer" if types.is_integer(kind) else kind


def as_array(values) -> np.ndarray:
    """Makes a one-dimensional array of ids, of integers or of text objects."""
    array = as_numbers(values)
    if array.ndim != 1:
        raise InputTypeError(f"expected a list or a one-dimensional array of ids, not {shown(values)}")
    if array.dtype.kind == "U" and not isinstance(values, np.ndarray):
        array = np.array(values, dtype=object)  # NumPy makes numbers text, and texts lose NULs at their end
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8", "surrogateescape")
    if array.dtype.kind == "U":
        array = array.astype(object)
    if array.dtype.kind not in "iuO":
        raise InputError(f"ids are integers or text, but these are of type {array.dtype}")
    return array


def find(names, ids) -> np.ndarray:
    """Looks up a list of ids: int32, -1 for an id that no vertex has, and for a null of pyarrow."""
    if isinstance(ids, (str, bytes)):
        raise InputTypeError(f"{ids!r} is one id, not a list of ids")
    if not is_arrow(ids) or not ids.null_count:
        return names.find(ids)
    found = np.full(len(ids), -1, dtype=np.int32)
    found[ids.is_valid().to_numpy(zero_copy_only=False)] = names.find(_whole(ids.drop_null()))
    return found


def _whole(ids):
    """Makes integers of an array of pyarrow with whole floats: pandas stores integers beside NULLs as floats."""
    import pyarrow

    try:
        return ids.cast(pyarrow.int64()) if pyarrow.types.is_floating(ids.type) else ids
    except pyarrow.ArrowInvalid:
        return ids


def for_library(ids: np.ndarray):
    """Returns the arguments of gtrav_graph_write_ids(): numbers, whether they are signed, texts."""
    if ids.dtype.kind in "iu":
        signed = ids.dtype.kind == "i"
        return np.ascontiguousarray(ids, np.int64 if signed else np.uint64), signed, None
    if not all(isinstance(text, str) for text in ids):
        raise InputError(f"only ids that are integers or text can be written, but these are of type {ids.dtype}")
    return None, False, c_texts(ids)


class Numbered:
    """The ids are the vertices' own numbers."""

    def __init__(self, num_vertices: int):
        self.num_vertices = num_vertices

    def values(self):
        return np.arange(self.num_vertices, dtype=np.int64)

    def find(self, ids):
        found = as_array(ids)
        if found.dtype.kind == "O" and len(found):
            raise InputError("this graph's ids are its vertex numbers: look up integers")
        inside = (found >= 0) & (found < self.num_vertices)
        return np.where(inside, found, -1).astype(np.int32)

    def permuted(self, order):
        return Listed(order.astype(np.int64))


class Listed:
    """The ids are a list: integers, or objects such as texts."""

    def __init__(self, ids: Any):
        self._ids = ids

    def __reduce__(self):
        return type(self), (self._ids,)

    def __len__(self):
        return len(self._ids)

    def values(self):
        return self._ids

    def find(self, ids):
        if self._ids.dtype.kind == "O":
            return self._find_texts(ids if isinstance(ids, list) else as_array(ids))
        found = as_array(ids)
        if found.dtype.kind == "O" and len(found):
            raise InputError(ARE_INTEGERS)
        keys, order = self._sorted
        if len(keys) == 0:
            return np.full(len(found), -1, dtype=np.int32)
        alike = found.astype(np.uint64 if keys.dtype.kind == "u" else np.int64)  # NumPy would round mixed types
        place = np.minimum(np.searchsorted(keys, alike), len(keys) - 1)
        is_there = (keys[place] == alike) & ((alike < 0) == (found < 0))
        return np.where(is_there, order[place], -1).astype(np.int32)

    @cached_property
    def _sorted(self):
        """The ids in ascending order, and their vertices."""
        order = np.argsort(self._ids, kind="stable")
        return self._ids[order], order.astype(np.int32)

    @cached_property
    def _places(self):
        return {text: vertex for vertex, text in enumerate(self._ids)}

    def _find_texts(self, ids):
        try:
            found = np.fromiter((self._places.get(text, -1) for text in ids), dtype=np.int32, count=len(ids))
        except TypeError as problem:  # an entry is itself a list
            raise InputTypeError(f"{shown(ids)} is not a list of ids: {problem}") from None
        if any(_is_no_text(ids[place]) for place in np.flatnonzero(found < 0)) and all(
            isinstance(text, str) for text in self._ids
        ):
            raise InputError(ARE_TEXTS)
        return found

    def permuted(self, order):
        return Listed(self._ids[order])


def _is_no_text(id):
    """Whether this is a number or bytes, and so never text. None and NaN stand for a missing id."""
    return isinstance(id, (Number, bytes, np.generic)) and not isinstance(id, str) and bool(id == id)


def of_objects(objects):
    """Makes ids, Numbered or Listed, of a list of distinct objects."""
    kinds = set(map(type, objects))
    if len(set(objects)) < len(objects):
        raise InputError("two vertices have the same name: ids must differ")
    if kinds == {int} and min(objects) >= -(2**63) and max(objects) < 2**63:
        numbers = np.array(objects, dtype=np.int64)
        return Numbered if np.array_equal(numbers, np.arange(len(numbers))) else Listed(numbers)
    array = np.empty(len(objects), dtype=object)
    for place, one in enumerate(objects):
        array[place] = one
    return Listed(array)


class Arrow(Listed):
    """The ids are an array of pyarrow, which looks up a whole column at once by hashing."""

    def values(self):
        return self._values

    @cached_property
    def _values(self):
        return self._ids.to_numpy(zero_copy_only=False)

    def find(self, ids):
        import pyarrow
        import pyarrow.compute as compute

        own = _kind_of(self._ids)
        try:
            if not is_arrow(ids):
                return find(self, _as_arrow(ids))
            if len(ids) == 0:
                return np.empty(0, dtype=np.int32)
            kind = _kind_of(ids)
            if own == "integer" != kind or (own == "text" != kind and not pyarrow.types.is_binary(ids.type)):
                raise InputError(ARE_INTEGERS if own == "integer" else ARE_TEXTS)
            found = compute.index_in(ids.cast(self._ids.type), value_set=self._ids)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, TypeError) as problem:
            if is_arrow(ids) and own == kind == "integer":  # some of these ids do not fit the type of the graph's ids
                return find(Listed(self.values()), ids)
            raise InputError(f"this graph's ids are of type {self._ids.type}: {problem}") from None
        return found.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32, copy=False)

    def permuted(self, order):
        import pyarrow

        return Arrow(self._ids.take(pyarrow.array(order)))


def _as_arrow(ids):
    """Makes an array of pyarrow of ids. By itself, pyarrow stores all integers as int64."""
    import pyarrow

    try:
        return pyarrow.array(ids)
    except OverflowError:
        whole = [each if is_whole(each) or each is None else "" for each in ids]  # pyarrow would cut fractions
    try:
        return pyarrow.array(whole, pyarrow.uint64())
    except OverflowError:
        raise _too_large(whole) from None


def encode(sources, targets):
    """Numbers the ids of two lists of the same length: (ids, numbers of sources, numbers of targets).

    The numbers are int32. Ids ascend; those of pyarrow have the order of their first appearance."""
    if is_arrow(sources) and is_arrow(targets):
        ids, *numbers = _of_one_dictionary(sources, targets) or encode_arrow(*map(_chunks, (sources, targets)))
        return Arrow(ids), *numbers
    sources, targets = as_array(sources), as_array(targets)
    if (sources.dtype.kind == "O") != (targets.dtype.kind == "O"):
        raise InputError("one list of ids has integers, the other text: make them of one kind")
    both = np.concatenate([sources, targets])
    if both.dtype.kind == "f":  # NumPy turns int64 beside uint64 into floats
        both = np.concatenate([as_uint64(sources), as_uint64(targets)])
    ids, numbers = _distinct_texts(both) if both.dtype.kind == "O" else np.unique(both, return_inverse=True)
    numbers = numbers.astype(np.int32, copy=False)
    return Listed(ids), numbers[: len(sources)], numbers[len(sources) :]


def _distinct_texts(texts):
    """Returns the distinct texts in ascending order, and the place of each text among them."""
    try:
        import pyarrow
    except ImportError:
        pyarrow = None
    try:
        if pyarrow is None:
            distinct, places = np.unique(texts, return_inverse=True)
            "".join(distinct).encode()
            return distinct, places
        encoded = pyarrow.array(texts, pyarrow.string()).dictionary_encode()  # 15 times as fast, by hashing
    except UnicodeEncodeError as problem:
        near = problem.object[max(problem.start - 9, 0) : problem.end]
        raise InputError(f"an id is not UTF-8, at {near!a}: decode it first, perhaps from Latin-1") from None
    except (TypeError, ValueError):
        encoded = None
    if encoded is None or encoded.null_count:
        raise InputError("ids are all integers or all text: some of these are neither, or of the other kind")
    distinct = encoded.dictionary.to_numpy(zero_copy_only=False)
    order = np.argsort(distinct)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return distinct[order], place[encoded.indices.to_numpy()]


def as_uint64(array):
    """Turns integers into uint64; a negative one is an error."""
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise InputError("one list of ids has negative numbers, the other is of type uint64: make them of one type")
    return array.astype(np.uint64)


def _chunks(column):
    """Lists the arrays of a column of pyarrow. The list has at least one, which tells the type."""
    import pyarrow

    return getattr(column, "chunks", [column]) or [pyarrow.array([], column.type)]


def _of_one_dictionary(*columns):
    """Returns the dictionary that two arrays share and their indices in it; None if they share none."""
    ids = [getattr(column, "dictionary", None) for column in columns]
    if ids[0] is None or ids[1] is None or not ids[0].equals(ids[1]):
        return None
    return ids[0], *(column.indices.to_numpy(zero_copy_only=False) for column in columns)


def encode_arrow(sources, targets, known=None):
    """Numbers the ids of two lists of arrays of pyarrow: (ids, numbers of sources, numbers of targets).

    known: ids that are numbered already, from 0 on."""
    import pyarrow

    chunks = [*sources, *targets]
    if any(chunk.null_count for chunk in chunks):
        raise InputError("a column of ids has empty fields: leave those rows out")
    kinds = {chunk.type for chunk in chunks}
    if len(kinds) > 1:
        raise InputError(f"the columns of ids are of types {' and '.join(map(str, kinds))}: make them of one type")
    encoded = pyarrow.chunked_array([known, *chunks] if known is not None else chunks)
    encoded = encoded.dictionary_encode().unify_dictionaries().combine_chunks()
    if isinstance(encoded, pyarrow.ChunkedArray):
        encoded = encoded.chunk(0)
    try:
        encoded.dictionary.validate(full=True)
    except pyarrow.ArrowInvalid as problem:
        raise InputError(f"the columns of ids are invalid: {problem}") from None
    numbers = encoded.indices.to_numpy(zero_copy_only=False)[0 if known is None else len(known) :]
    return encoded.dictionary, *np.split(numbers, [sum(map(len, sources))])


def reject_sparse(num_vertices: int, num_edges: int) -> None:
    """Raises InputError if a graph of so few edges would have far more vertices than they can name."""
    if num_vertices > max(SPARSE_FROM, SPARSE_TIMES * 2 * num_edges):
        raise InputError(
            f"the largest id, {num_vertices - 1:,}, is far above the number of ids: renumber them by ids='any', or "
            f"make a vertex for each number up to it by ids='dense'"
        )
