#!/usr/bin/env python3
"""Checks that WGSL shaders are right, by the WebGPU library that gtrav loads (naga); make lint runs it.

A shader whose first comment says "It follows A.wgsl and B.wgsl" is checked behind these, as gtrav joins them.
Each kernel is compiled, too, for a device with no more than WebGPU's default limits, which every browser has.
Exit status: 0 all are right, or there is no library or adapter, which one line says; 1 one is wrong, with its
file and line.
"""

import argparse
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHADERS = ROOT / "kernels" / "webgpu" / "shaders"
FOLLOWS = re.compile(r"^//.*follows (\w+\.wgsl(?: and \w+\.wgsl)*)")
KERNEL = re.compile(r"@compute\b[^{}]*?\bfn (\w+)")
PLACE = re.compile(r"wgsl:(\d+):\d+")
MARKED = re.compile(r"^\s*(\d+) │(?:(?!^\s*\d+ │).)*?\^", re.MULTILINE | re.DOTALL)  # a line above a ^
LIMITS = {  # WebGPU's defaults
    "max-storage-buffers-per-shader-stage": 8,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroup-storage-size": 16384,
}


def parts_of(path):
    """The files of a shader's module, in their order."""
    comment = re.match(r"(//.*\n)*", path.read_text(encoding="utf-8")).group().replace("\n//", "")
    follows = FOLLOWS.search(comment)
    return [path.with_name(name) for name in follows.group(1).split(" and ")] + [path] if follows else [path]


def place_of(line, parts):
    """The file, and the line there, of a line of the module."""
    for path in parts:
        lines = path.read_text(encoding="utf-8").count("\n")
        if line <= lines:
            return path, line
        line -= lines
    return parts[-1], line


def line_in(message):
    """The number of the line that a message marks; None: it is about no line."""
    marked = MARKED.search(message) or PLACE.search(message)
    return int(marked.group(1)) if marked else None


def explain(message, parts):
    """One line: where a module is wrong, and why."""
    reported = [line.strip() for line in message.splitlines() if line.strip()]
    line = line_in(message)
    if line is None:
        return f"{os.path.relpath(parts[-1])}: {' '.join(reported[2:] or reported)}"
    cause = next((text for text in reported if " error: " in text), reported[-1])
    details = [text.removeprefix("= ") for text in reported if text.startswith("= ")]
    path, line = place_of(line, parts)
    return f"{os.path.relpath(path)}:{line}: {': '.join([cause.partition(' error: ')[2] or cause, *details])}"


def check(path, device, refusal):
    """What is wrong with a shader; None: nothing. refusal: the library's exception."""
    parts = parts_of(path)
    code = "".join(part.read_text(encoding="utf-8") for part in parts)
    try:
        module = device.create_shader_module(label=path.name, code=code)
        for kernel in KERNEL.findall(code):
            device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": kernel})
    except refusal as error:
        return explain(str(error), parts)
    return None


def open_device():
    """A device and the library's exception; leaves the check out if there is none."""
    os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")  # or drivers complain
    try:
        import wgpu

        return wgpu.gpu.request_adapter_sync().request_device_sync(required_limits=LIMITS), wgpu.GPUError
    except (ImportError, OSError, RuntimeError) as error:
        reported = str(error).splitlines()
        print(f"check_shaders: shaders are not checked: {reported[0] if reported else type(error).__name__}")
        sys.exit(0)


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shaders", nargs="*", type=Path, help="the shaders; without any, gtrav's own")
    paths = parser.parse_args(words).shaders or sorted(SHADERS.glob("*.wgsl"))
    device, refusal = open_device()
    wrong = list(dict.fromkeys(filter(None, (check(path, device, refusal) for path in paths))))
    print("\n".join(wrong) if wrong else f"check_shaders: {len(paths)} shaders are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
