"""Unpacks a part into a new folder. This is the only module that unpacks, and it trusts nothing in the part.

A part is a gzip file of any number of members that hold one tar stream. The dependency part has no end-of-archive
block, because the code part follows it in the artifact. Only regular files and folders are allowed.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO

# Limits that stop decompression bombs; no real part exceeds them.
UNPACKED_BYTES = 20_000_000_000
UNPACKED_FILES = 1_000_000
_BLOCK = 512
_CHUNK = 65_536
# Most bytes of a long name or of pax records. Larger ones are an attack on memory.
_EXTENSION_BYTES = 1_048_576


class HostilePartError(ValueError):
    """A part that no build makes. Nothing in it may be used."""


def unpack(part: BinaryIO, folder: str, *, max_bytes: int = UNPACKED_BYTES, max_files: int = UNPACKED_FILES) -> None:
    """Unpacks a part into an existing empty folder.

    Args:
        part: The part's bytes.
        folder: Absolute path of the folder.
        max_bytes: Most bytes that the files may have together.
        max_files: Most files and folders.

    Raises:
        HostilePartError: The part is damaged, or contains something that is not allowed. Files that were unpacked
            before stay in the folder.
    """
    stream = _TarBytes(part, max_bytes + max_files * 2 * _BLOCK)
    folders = {""}
    files: set[str] = set()
    total = 0
    for name, kind, mode, size in _entries(stream):
        parent = _safe_parent(name, files)
        if len(files) + len(folders) >= max_files:
            raise HostilePartError(f"The part contains more than {max_files} files.")
        if name in files or (kind == "file" and name in folders):
            raise HostilePartError(f'The part contains "{name}" twice.')
        target = f"{folder}/{name}"
        _make_folders(folder, name if kind == "folder" else parent, folders)
        if kind == "folder":
            continue
        files.add(name)
        total += size
        if total > max_bytes:
            raise HostilePartError(f"The part unpacks to more than {max_bytes} bytes.")
        _write_file(stream, target, 0o755 if mode & 0o100 else 0o644, size)


def _write_file(stream: _TarBytes, target: str, mode: int, size: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(target, flags, mode)
    try:
        left = size
        while left:
            chunk = stream.read(min(left, _CHUNK))
            view = memoryview(chunk)
            while view:
                view = view[os.write(descriptor, view) :]
            left -= len(chunk)
    finally:
        os.close(descriptor)
    stream.read(-size % _BLOCK)


def _make_folders(root: str, name: str, made: set[str]) -> None:
    if name in made:
        return
    _make_folders(root, name.rpartition("/")[0], made)
    os.mkdir(f"{root}/{name}", 0o755)
    made.add(name)


def _safe_parent(name: str, files: set[str]) -> str:
    pieces = name.split("/")
    if not name or name.startswith("/") or "\0" in name or any(piece in ("", ".", "..") for piece in pieces):
        raise HostilePartError(f"The part contains the unsafe name {name!r}.")
    if (
        any(len(piece.encode("utf-8", "surrogateescape")) > 255 for piece in pieces)
        or len(name) > 3500
        or len(pieces) > 100
    ):
        raise HostilePartError(f"The part contains a name that is too long or too deep: {name[:80]!r}…")
    for depth in range(1, len(pieces)):
        if "/".join(pieces[:depth]) in files:
            raise HostilePartError(f'The part contains "{name}" below a file.')
    return "/".join(pieces[:-1])


def _entries(stream: _TarBytes) -> Iterator[tuple[str, str, int, int]]:
    """Name, kind (`file`, `folder`), mode and size of each entry. The caller then reads a file's bytes."""
    long_name: str | None = None
    pax: dict[str, str] = {}
    while (header := stream.read_header()) is not None:
        if not any(header):
            stream.only_zeros_follow()
            return
        _check_sum(header)
        size = _number(header[124:136])
        kind = header[156:157]
        if kind in (b"x", b"L", b"g"):
            if size > _EXTENSION_BYTES:
                raise HostilePartError("The part contains an extension header that is too large.")
            data = stream.read(size)
            stream.read(-size % _BLOCK)
            if kind == b"L":
                long_name = _text(data.rstrip(b"\0"))
            elif kind == b"x":
                pax = _pax_records(data)
            continue
        name = pax.get("path") or long_name or _header_name(header)
        if "size" in pax:
            size = _pax_size(pax["size"])
        long_name, pax = None, {}
        if kind in (b"0", b"\0"):
            yield name, "file", _number(header[100:108]), size
        elif kind == b"5":
            if size:
                raise HostilePartError(f'The part contains the folder "{name}" with a size.')
            yield name.rstrip("/"), "folder", 0o755, 0
        else:
            raise HostilePartError(f'The part contains "{name}", which is neither a file nor a folder.')
    if long_name is not None or pax:
        raise HostilePartError("The part ends within an entry.")


def _header_name(header: bytes) -> str:
    name = header[:100].split(b"\0", 1)[0]
    prefix = header[345:500].split(b"\0", 1)[0] if header[257:263] == b"ustar\0" else b""
    return _text(prefix + b"/" + name if prefix else name)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _check_sum(header: bytes) -> None:
    if _number(header[148:156]) != sum(header[:148]) + 8 * 0x20 + sum(header[156:512]):
        raise HostilePartError("The part contains a damaged tar header.")


def _number(field: bytes) -> int:
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.replace(b"\0", b" ").strip()
    if not digits:
        return 0
    if not digits.isdigit():
        raise HostilePartError("The part contains a tar header with an invalid number.")
    try:
        return int(digits, 8)
    except ValueError:
        raise HostilePartError("The part contains a tar header with an invalid number.") from None


def _pax_records(data: bytes) -> dict[str, str]:
    records: dict[str, str] = {}
    while data:
        length, space, _ = data.partition(b" ")
        end = int(length) if length.isdigit() and len(length) < 9 else 0
        record = data[len(length) + 1 : end]
        key, equals, value = record.partition(b"=")
        if not space or end > len(data) or not record.endswith(b"\n") or not equals:
            raise HostilePartError("The part contains a damaged pax header.")
        if key.startswith(b"GNU.sparse"):
            raise HostilePartError("The part contains a sparse file.")
        records[_text(key)] = _text(value[:-1])
        data = data[end:]
    return records


def _pax_size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise HostilePartError("The part contains a damaged pax header.")
    return int(text)


class _TarBytes:
    """The tar stream inside the gzip members. Reads only forward, and at most `cap` bytes."""

    def __init__(self, part: BinaryIO, cap: int) -> None:
        self._part = part
        self._cap = cap
        self._buffer = bytearray()
        self._input = b""
        self._member: zlib._Decompress | None = None

    def read(self, size: int) -> bytes:
        """Reads exactly `size` bytes.

        Raises:
            HostilePartError: The stream ends first.
        """
        while len(self._buffer) < size:
            if not self._more():
                raise HostilePartError("The part ends within an entry.")
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def read_header(self) -> bytes | None:
        """The next 512 bytes; None at the end of the stream."""
        while not self._buffer:
            if not self._more():
                return None
        return self.read(_BLOCK)

    def only_zeros_follow(self) -> None:
        """Reads to the end of the stream.

        Raises:
            HostilePartError: There is data after the end of the archive.
        """
        while True:
            if any(self._buffer):
                raise HostilePartError("The part has data after the end of its archive.")
            self._buffer.clear()
            if not self._more():
                return

    def _more(self) -> bool:
        if not self._input:
            self._input = self._part.read(_CHUNK)
            if not self._input:
                if self._member is not None:
                    raise HostilePartError("The part ends within a gzip member.")
                return False
        if self._member is None:
            self._member = zlib.decompressobj(wbits=31)
        try:
            data = self._member.decompress(self._input, _CHUNK)
        except zlib.error as error:
            raise HostilePartError(f"The part is not a gzip file: {error}.") from error
        self._cap -= len(data)
        if self._cap < 0:
            raise HostilePartError("The part unpacks to more bytes than allowed.")
        self._buffer += data
        if self._member.eof:
            self._input = self._member.unused_data
            self._member = None
        else:
            self._input = self._member.unconsumed_tail
        return True
