#!/usr/bin/env python3
"""Checks that WGSL shaders are right, by the WebGPU library that gtrav loads (naga); make lint runs it.

A shader whose first comment says "It follows A.wgsl and B.wgsl" is checked after these, in one module as in gtrav.
Each kernel is also compiled for a device with no more than WebGPU's default limits, which every browser has.
Exit status: 0 all are right, or there is no library or adapter (one line says so); 1 one is wrong.
"""

import argparse
import os
import re
import sys
from pathlib import Path

SHADERS = Path(__file__).resolve().parent.parent / "kernels" / "webgpu" / "shaders"
FOLLOWS = re.compile(r"^//.*follows (\w+\.wgsl(?: and \w+\.wgsl)*)")
KERNEL = re.compile(r"@compute\b[^{}]*?\bfn (\w+)")
LIMITS = {  # WebGPU's defaults
    "max-storage-buffers-per-shader-stage": 8,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroup-storage-size": 16384,
}


def module_of(path):
    """Returns the text of the files that a shader follows, and then its own."""
    text = path.read_text(encoding="utf-8")
    follows = FOLLOWS.search(re.match(r"(//.*\n)*", text).group().replace("\n//", ""))
    names = follows.group(1).split(" and ") if follows else []
    return "".join(path.with_name(name).read_text(encoding="utf-8") for name in names) + text


def check(path, device, refusal):
    """Returns the library's message about a wrong shader, else None. refusal: the library's exception."""
    code = module_of(path)
    try:
        module = device.create_shader_module(label=path.name, code=code)
        for kernel in KERNEL.findall(code):
            device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": kernel})
    except refusal as error:
        return f"{path.name}: {error}"
    return None


def open_device():
    """Returns a device and the library's exception. Without a device, ends the program."""
    os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")  # or drivers complain
    try:
        import wgpu

        return wgpu.gpu.request_adapter_sync().request_device_sync(required_limits=LIMITS), wgpu.GPUError
    except (ImportError, OSError, RuntimeError) as error:
        reported = str(error).splitlines()
        print(f"check_shaders: shaders are not checked: {reported[0] if reported else type(error).__name__}")
        sys.exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHADERS, help="of the shaders; by default gtrav's")
    paths = sorted(parser.parse_args().folder.glob("*.wgsl"))
    device, refusal = open_device()
    wrong = list(filter(None, (check(path, device, refusal) for path in paths)))
    print("\n".join(wrong) if wrong else f"check_shaders: {len(paths)} shaders are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
