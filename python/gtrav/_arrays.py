"""_arrays.py: results in the library's memory, on a device or pinned; and arrays on GPUs from other libraries."""

from __future__ import annotations

import ctypes
import threading
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any

import numpy as np

from ._errors import Error, InputError
from ._library import function
from ._query import Context

CPU, CUDA = 1, 2  # kinds of devices in DLPack
KEPT = 4  # a device keeps at most this many blocks for later results, and pins at most this many
_idle: dict[tuple, list[int]] = {}  # addresses of blocks that nobody uses, by (device, on_device, bytes)
_pinned: dict[str, int] = {}  # number of pinned blocks of a device; KEPT once pinning has failed
_lock = threading.RLock()  # held while blocks are taken and freed; returning one is atomic


def trim(device: str, most: int = 0) -> None:
    """Frees blocks that nobody uses, until at most `most` are left. Never called where a block is returned: that may
    happen in a progress callback, which must not call the library."""
    with _lock:
        kinds = [key for key in _idle if key[0] == device]
        while sum(len(_idle[key]) for key in kinds) > most:
            key = next(key for key in kinds if _idle[key])
            function("memory_free")(Context.of(device).handle, _idle[key].pop(), key[1])
            _pinned[device] -= not key[1]


def room(device: str, on_device: bool, length: int, dtype: Any) -> Any:
    """Makes an array for a result: a DeviceArray, or an array of NumPy, in pinned memory if possible."""
    if on_device:
        return DeviceArray(device, True, length, dtype)
    try:
        if device != "cpu":
            return np.asarray(DeviceArray(device, False, length, dtype))
    except Error:
        _pinned[device] = KEPT
    return np.empty(length, dtype)


class DeviceArray:
    """A one-dimensional result in the memory of a GPU, or of the emulator, which uses the host's memory.

    CuPy, PyTorch, JAX and others use it without a copy, through __cuda_array_interface__ or DLPack. Its memory is
    reused only when their arrays are gone. np.asarray() copies it to the host."""

    def __init__(self, device: str, on_device: bool, length: int, dtype: Any):
        self.device, self.shape, self.dtype = device, (length,), np.dtype(dtype)
        self._key = (device, on_device, length * self.dtype.itemsize)
        with _lock:
            trim(device, KEPT)
            idle = _idle.setdefault(self._key, [])
            self.address = idle.pop() if idle else self._new()
        self._gpu = int(device.partition(":")[2] or 0) if on_device and "emulator" not in device else None

    def _new(self):
        device, on_device, size = self._key
        if not on_device and _pinned.get(device, 0) >= KEPT:
            trim(device)
            if _pinned[device] >= KEPT:
                raise InputError("no more memory may be pinned")
        address = c_void_p()
        function("memory_new")(Context.of(device).handle, size, on_device, address)
        _pinned[device] = _pinned.get(device, 0) + (not on_device)
        return address.value

    def __del__(self, idle=_idle):
        if hasattr(self, "address"):
            idle[self._key].append(self.address)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self):
        return f"<gtrav.DeviceArray of {len(self):,} {self.dtype} on {self.device}>"

    def _interface(self, is_there):
        if not is_there:
            raise AttributeError(f"this memory is on {self.device}")
        return {"data": (self.address, False), "shape": self.shape, "typestr": self.dtype.str, "version": 3}

    @property
    def __array_interface__(self) -> dict:
        return self._interface(self._gpu is None)

    @property
    def __cuda_array_interface__(self) -> dict:
        return self._interface(self._gpu is not None)

    def __array__(self, dtype=None, copy=None):
        host = np.asarray(self) if self._gpu is None else on_host(self)
        return host.astype(dtype or self.dtype, copy=bool(copy))

    def __reduce__(self):
        return np.array, (np.asarray(self),)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CPU, 0) if self._gpu is None else (CUDA, self._gpu)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """Needs no stream: the kernels that fill the array have ended."""
        if self._gpu is None or (dl_device is not None and dl_device[0] == CPU):
            return np.asarray(self).__dlpack__()
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("a gtrav.DeviceArray is shared without a copy, on its own device")
        code, bits = KINDS.index(self.dtype.kind), 8 * self.dtype.itemsize
        tensor = _Tensor(self.address, CUDA, self._gpu, 1, code, bits, 1)
        tensor.shape = ctypes.pointer(c_int64(len(self)))
        tensor.deleter = ctypes.cast(_give_back, c_void_p)
        _lent[ctypes.addressof(tensor)] = tensor, self
        return _new_capsule(ctypes.addressof(tensor), DLTENSOR, ctypes.cast(_drop, c_void_p))


# ---- DLPack ----

DLTENSOR = b"dltensor"
KINDS = "iuf"  # NumPy's kind of type for each code of DLPack
_lent: dict[int, tuple] = {}  # by address: a tensor that another library uses, and its array


class _Tensor(ctypes.Structure):
    """DLPack's DLManagedTensor."""

    _fields_ = (
        ("data", c_void_p), ("kind", c_int32), ("number", c_int32), ("ndim", c_int32), ("code", c_uint8),
        ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
        ("offset", c_uint64), ("context", c_void_p), ("deleter", c_void_p),
    )  # fmt: skip


def _of_python(name, result, *parameters):
    return ctypes.PYFUNCTYPE(result, *parameters)((f"PyCapsule_{name}", ctypes.pythonapi))


_new_capsule = _of_python("New", ctypes.py_object, c_void_p, c_char_p, c_void_p)
_is_capsule = _of_python("IsValid", ctypes.c_int, c_void_p, c_char_p)
_tensor_of = _of_python("GetPointer", c_void_p, c_void_p, c_char_p)


@CFUNCTYPE(None, c_void_p)
def _give_back(tensor, lent=_lent):
    lent.pop(tensor, None)


@CFUNCTYPE(None, c_void_p)
def _drop(capsule, lent=_lent):
    """Runs when a capsule is freed. If it still has its first name, nobody has taken its tensor."""
    if _is_capsule(capsule, DLTENSOR):
        lent.pop(_tensor_of(capsule, DLTENSOR), None)


def on_host(values: Any) -> Any:
    """Copies an array on a GPU, or one that has only DLPack, into one of NumPy. Returns other values unchanged."""
    if type(values) is np.ndarray:
        return values
    there = getattr(values, "__cuda_array_interface__", None)
    if there is None and (hasattr(values, "__array__") or not hasattr(values, "__dlpack_device__")):
        return values
    kind, number = values.__dlpack_device__() if hasattr(values, "__dlpack_device__") else (CUDA, 0)
    if there is None and kind != CUDA:
        return np.from_dlpack(values)
    if there is not None:
        start, shape, strides = there["data"][0], there["shape"], there.get("strides")
        dtype = np.dtype(there["typestr"])
    else:
        capsule = values.__dlpack__()
        tensor = _Tensor.from_address(_tensor_of(id(capsule), DLTENSOR))
        dtype = np.dtype(f"{KINDS[tensor.code]}{tensor.bits // 8}")
        start, shape = (tensor.data or 0) + tensor.offset, tuple(tensor.shape[: tensor.ndim])
        strides = tuple(dtype.itemsize * each for each in tensor.strides[: tensor.ndim]) if tensor.strides else None
    if len(shape) != 1 or strides not in (None, (dtype.itemsize,)):
        raise InputError("an array on a GPU must be one-dimensional and contiguous")
    copy = np.empty(shape, dtype)
    function("download")(Context.of(f"gpu:{number}").handle, copy, start, copy.nbytes)
    return copy
