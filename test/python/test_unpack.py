"""The unpacker: parts of builds are unpacked completely; hostile parts write nothing outside and stop at the limits."""

from __future__ import annotations

import gzip
import io
import os
import random
import struct
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from toolkit_sdk._agent.unpack import HostilePartError, unpack

LIMITS = {"max_bytes": 1_000_000, "max_files": 1000}


def _tar(*members: tuple[tarfile.TarInfo, bytes], format: int = tarfile.GNU_FORMAT) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=format) as archive:
        for info, data in members:
            info.size = len(data) if info.isreg() else info.size
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def _member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, link, mode
    return info


def _unpack(part: bytes, folder: Path) -> None:
    folder.mkdir()
    unpack(io.BytesIO(part), str(folder), **LIMITS)


def _tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["n" * 255, "/".join(["n" * 99] * 34 + ["n" * 100]), "/".join(["n"] * 100)])
def test_the_longest_and_deepest_names_are_unpacked(tmp_path: Path, name: str) -> None:
    _unpack(gzip.compress(_tar((_member(name), b"1"))), tmp_path / "out")
    assert _tree(tmp_path / "out") == {name: b"1"}


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("end", [True, False])
def test_files_are_unpacked_unchanged(tmp_path: Path, format: int, end: bool) -> None:
    rng = random.Random(3)
    files = {f"a/b{n}/file {n} ü.bin": rng.randbytes(rng.choice([0, 1, 511, 512, 513, 70_000])) for n in range(9)}
    files["long/" + "d" * 60 + "/" + "e" * 60 + "/" + "f" * 60] = b"long name"
    if format != tarfile.USTAR_FORMAT:
        files["longer/" + "/".join("x" * 200 for _ in range(3))] = b"longer name"
    data = _tar(*((_member(name), content) for name, content in files.items()), format=format)
    if not end:
        data = data.rstrip(b"\0")
        data += b"\0" * (-len(data) % 512)
    cuts = sorted(rng.sample(range(len(data)), 20))
    members = [gzip.compress(data[a:b]) for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    _unpack(b"".join(members), tmp_path / "out")
    assert _tree(tmp_path / "out") == files


def test_file_modes_become_755_or_644(tmp_path: Path) -> None:
    members = [(_member(f"m{mode:o}", mode=mode), b"x") for mode in (0o777, 0o4755, 0o600, 0o644, 0)]
    _unpack(gzip.compress(_tar(*members)), tmp_path / "out")
    modes = {path.name: path.stat().st_mode & 0o7777 for path in (tmp_path / "out").iterdir()}
    assert modes == {
        "m777": 0o755,
        "m4755": 0o755,
        "m600": 0o644,
        "m644": 0o644,
        "m0": 0o644,
    }


def _single(info: tarfile.TarInfo, data: bytes = b"x") -> bytes:
    return gzip.compress(_tar((info, data)))


def _raw_header(name: bytes, size_field: bytes, kind: bytes = b"0") -> bytes:
    header = bytearray(512)
    header[: len(name)] = name
    header[100:108] = b"0000644\0"
    header[124:136] = size_field
    header[156:157] = kind
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


def _pax(records: bytes) -> bytes:
    padded = records + b"\0" * (-len(records) % 512)
    head = _raw_header(b"pax", b"%011o\0" % len(records), b"x")
    return gzip.compress(head + padded + _raw_header(b"a", b"%011o\0" % 1) + b"x".ljust(512, b"\0"))


BOMB = gzip.compress(b"\0" * 50_000_000)

HOSTILE: list[tuple[str, bytes]] = [
    ("parent", _single(_member("../evil"))),
    ("parent inside", _single(_member("a/../../evil"))),
    ("parent at the end", _single(_member("a/.."))),
    ("parent as folder", _single(_member("../evil", tarfile.DIRTYPE))),
    ("absolute", _single(_member("/tmp/toolkit-evil"))),
    ("absolute with slashes", _single(_member("//tmp/toolkit-evil"))),
    ("dot", _single(_member("./a"))),
    ("empty path segment", _single(_member("a//b"))),
    ("empty name", gzip.compress(_raw_header(b"", b"%011o\0" % 0))),
    ("symbolic link", _single(_member("a", tarfile.SYMTYPE, "/etc"))),
    ("symbolic link inside", _single(_member("a", tarfile.SYMTYPE, "b"))),
    ("hard link", _single(_member("a", tarfile.LNKTYPE, "/etc/passwd"))),
    ("character device", _single(_member("a", tarfile.CHRTYPE))),
    ("block device", _single(_member("a", tarfile.BLKTYPE))),
    ("pipe", _single(_member("a", tarfile.FIFOTYPE))),
    ("contiguous file", _single(_member("a", tarfile.CONTTYPE))),
    (
        "sparse file",
        gzip.compress(_raw_header(b"a", b"%011o\0" % 1, b"S") + b"x".ljust(512, b"\0")),
    ),
    (
        "long link name",
        gzip.compress(_raw_header(b"a", b"%011o\0" % 5, b"K") + b"/etc\0".ljust(512, b"\0")),
    ),
    ("unknown type", gzip.compress(_raw_header(b"a", b"%011o\0" % 0, b"Z"))),
    (
        "the same file twice",
        gzip.compress(_tar((_member("a"), b"1"), (_member("a"), b"2"))),
    ),
    (
        "file below a file",
        gzip.compress(_tar((_member("a"), b"1"), (_member("a/b"), b"2"))),
    ),
    (
        "folder over a file",
        gzip.compress(_tar((_member("a"), b"1"), (_member("a", tarfile.DIRTYPE), b""))),
    ),
    (
        "file over a folder",
        gzip.compress(_tar((_member("a/b"), b"1"), (_member("a"), b"2"))),
    ),
    (
        "file below a link",
        gzip.compress(_tar((_member("a", tarfile.SYMTYPE, "/tmp"), b""), (_member("a/b"), b"2"))),
    ),
    (
        "folder with content",
        gzip.compress(_raw_header(b"a", b"%011o\0" % 5, b"5") + b"x" * 512),
    ),
    ("pax path to the parent", _pax(b"16 path=../evil\n")),
    ("pax path absolute", _pax(b"18 path=/tmp/evil\n")),
    ("pax path with NUL", _pax(b"12 path=a\0b\n")),
    ("pax record without length", _pax(b"path=a\n")),
    ("pax record too long", _pax(b"99 path=a\n")),
    ("pax record of length 0", _pax(b"0 path=a\n")),
    ("pax size that is not a number", _pax(b"12 size=abc\n")),
    ("pax size negative", _pax(b"11 size=-1\n")),
    ("pax size that is too large", _pax(b"23 size=99999999999999\n")),
    ("pax sparse", _pax(b"22 GNU.sparse.major=1\n")),
    (
        "huge pax header",
        gzip.compress(_raw_header(b"a", b"%011o\0" % 900_000_000, b"x") + b"\0" * 5_000_000),
    ),
    (
        "huge long name",
        gzip.compress(_raw_header(b"a", b"%011o\0" % 900_000_000, b"L") + b"\0" * 5_000_000),
    ),
    (
        "long name to the parent",
        gzip.compress(
            _raw_header(b"a", b"%011o\0" % 8, b"L") + b"../evil\0".ljust(512, b"\0") + _raw_header(b"b", b"%011o\0" % 0)
        ),
    ),
    ("name of 256 letters", _single(_member("n" * 256))),
    ("path of 3,501 letters", _single(_member("/".join(["n" * 99] * 34 + ["n" * 101])))),
    ("101 levels", _single(_member("/".join(["n"] * 101)))),
    ("path of 5,000 letters", _single(_member("/".join(["n" * 100] * 50)))),
    ("many levels", _single(_member("/".join(["n"] * 2500)))),
    (
        "size larger than the part",
        gzip.compress(_raw_header(b"a", b"%011o\0" % 100_000) + b"x" * 512),
    ),
    (
        "size in base 256",
        gzip.compress(_raw_header(b"a", b"\x80" + (2**60).to_bytes(11, "big")) + b"x" * 512),
    ),
    ("negative size", gzip.compress(_raw_header(b"a", b"\xff" * 12) + b"x" * 512)),
    ("size that is not a number", gzip.compress(_raw_header(b"a", b"zzzzzzzzzzz\0") + b"x" * 512)),
    ("size that is not octal", gzip.compress(_raw_header(b"a", b"88888888888\0") + b"x" * 512)),
    ("wrong checksum", gzip.compress(b"a".ljust(512, b"\0") + b"\0" * 1024)),
    ("noise", gzip.compress(random.Random(1).randbytes(5000))),
    ("not gzip", random.Random(2).randbytes(5000)),
    ("a zip file", b"PK\x03\x04" + b"\0" * 600),
    ("a bomb of zeros before a file", gzip.compress(_tar((_member("a"), b"1"))) + BOMB),
    ("a bomb in a file", gzip.compress(_tar((_member("a"), b"\0" * 2_000_000)))),
    (
        "a bomb in many files",
        gzip.compress(_tar(*((_member(f"f{n}"), b"\0" * 10_000) for n in range(200)))),
    ),
    (
        "too many files",
        gzip.compress(_tar(*((_member(f"f{n}"), b"") for n in range(1100)))),
    ),
    (
        "too many folders",
        gzip.compress(_tar(*((_member(f"d{n}", tarfile.DIRTYPE), b"") for n in range(1100)))),
    ),
    (
        "data after the end of the archive",
        gzip.compress(_tar((_member("a"), b"1")) + _tar((_member("b"), b"1"))),
    ),
    (
        "truncated gzip member",
        gzip.compress(_tar((_member("a"), random.Random(4).randbytes(3000))))[:-700],
    ),
    ("truncated file", gzip.compress(_tar((_member("a"), b"1" * 3000))[:1000])),
    ("truncated header", gzip.compress(_tar((_member("a"), b"1"))[:300])),
    (
        "ends after a long name",
        gzip.compress(_raw_header(b"a", b"%011o\0" % 3, b"L") + b"ab\0".ljust(512, b"\0")),
    ),
    (
        "damaged crc",
        gzip.compress(_tar((_member("a"), b"1")))[:-8] + struct.pack("<II", 1, 2),
    ),
    ("deflate without gzip", zlib.compress(_tar((_member("a"), b"1")))),
]


@pytest.mark.parametrize("part", [case[1] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_hostile_parts_are_refused_and_write_nothing_outside_of_the_folder(tmp_path: Path, part: bytes) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    outside = set(os.listdir("/tmp"))
    with pytest.raises(HostilePartError) as caught:
        _unpack(part, inside / "out")
    assert str(caught.value).startswith("The part ")
    assert sorted(os.listdir(tmp_path)) == ["inside"]
    assert sorted(os.listdir(inside)) == ["out"]
    assert not {name for name in set(os.listdir("/tmp")) - outside if "evil" in name}
    assert sum(len(data) for data in _tree(inside).values()) <= LIMITS["max_bytes"]
    assert not any(path.is_symlink() for path in inside.rglob("*"))


def test_randomly_damaged_parts_never_escape_the_folder_or_hang(tmp_path: Path) -> None:
    rng = random.Random(7)
    good = _tar(
        *((_member(f"p/{n}"), rng.randbytes(600)) for n in range(8)),
        format=tarfile.PAX_FORMAT,
    )
    for number in range(400):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        folder = tmp_path / str(number)
        _tolerate(lambda: _unpack(gzip.compress(bytes(data), 1), folder))  # noqa: B023
        assert all(folder in path.resolve().parents for path in folder.rglob("*"))


def _tolerate(act: Callable[[], None]) -> None:
    try:
        act()
    except HostilePartError:
        return
