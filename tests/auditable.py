"""Checks that a binary names the packages and versions that it was built of.

Usage: auditable.py PIPELINE

`cargo auditable` puts them, as compressed JSON, into the section .dep-v0 of the program; from there
`cargo audit bin` and other scanners take them. Here they are held against Cargo.lock.
"""

import json
import pathlib
import struct
import sys
import tomllib
import zlib


def section(program, wanted):
    """The bytes of a section of a 64-bit little-endian ELF file."""
    assert program[:6] == b"\x7fELF\x02\x01", "no 64-bit ELF file"
    (table,) = struct.unpack_from("<Q", program, 40)
    size, count, names = struct.unpack_from("<HHH", program, 58)

    def header(index):
        at = table + index * size
        name, offset, length = *struct.unpack_from("<I", program, at), *struct.unpack_from("<QQ", program, at + 24)
        return name, offset, length

    _, names_at, _ = header(names)
    for index in range(count):
        name, offset, length = header(index)
        start = names_at + name
        if program[start : program.index(b"\0", start)] == wanted:
            return program[offset : offset + length]
    sys.exit(f"{sys.argv[1]} has no section {wanted.decode()}: build it with `just auditable`")


path = pathlib.Path(sys.argv[1])
packages = json.loads(zlib.decompress(section(path.read_bytes(), b".dep-v0")))["packages"]
lock = pathlib.Path(__file__).resolve().parent.parent / "Cargo.lock"
locked = {(package["name"], package["version"]) for package in tomllib.loads(lock.read_text())["package"]}
named = {(package["name"], package["version"]) for package in packages}
assert named <= locked, sorted(named - locked)
names = {name for name, _ in named}
assert {"sudoku-pipeline", "sudoku-core", "arrow", "parquet", "zstd-sys"} <= names, sorted(names)
print(f"{path} names {len(named)} packages, all of them as in Cargo.lock")
