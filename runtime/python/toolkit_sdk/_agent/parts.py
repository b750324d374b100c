"""Fetches, checks and unpacks an assignment's parts into the node's cache, once per node and content."""

from __future__ import annotations

import hashlib
import tempfile
import time
from pathlib import Path

from .node_cache import NodeCache
from .platform_connection import PlatformConnection
from .protocol import AssignedPart
from .unpack import unpack

_CHUNK = 1_048_576
_TRIES = 5


class PartError(Exception):
    """A part that could not be fetched; the message says which and why."""


def part_folder(part: AssignedPart, cache: NodeCache, connection: PlatformConnection) -> Path:
    """The folder with the part's files.

    Raises:
        PartError: It cannot be fetched, or differs from what was announced.
        HostilePartError: It is not a part that a build makes.
    """

    def make(folder: Path) -> None:
        with tempfile.NamedTemporaryFile(dir=folder.parent, prefix=f".{part.content}-") as file:
            _fetch(part, connection, Path(file.name))
            file.seek(0)
            with Path(file.name).open("rb") as content:
                unpack(content, str(folder))

    return cache.folder("parts", part.content, make)


def _fetch(part: AssignedPart, connection: PlatformConnection, file: Path) -> None:
    """Fetches into the file, and resumes a broken transfer where it ended."""
    failure: Exception | None = None
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(min(2.0**attempt / 4, 4.0))
        try:
            _fetch_rest(part, connection, file)
        except OSError as error:
            failure = error
            connection.close()
            continue
        _check(part, file)
        return
    raise PartError(f"The {part.role} part {part.content[:12]} could not be fetched: {failure}.")


def _fetch_rest(part: AssignedPart, connection: PlatformConnection, file: Path) -> None:
    have = file.stat().st_size
    if have >= part.size > 0:
        return
    response = connection.open("GET", part.url, headers={"Range": f"bytes={have}-"} if have else None)
    if response.status not in (200, 206):
        body = response.read(2000).decode("utf-8", "replace")
        raise PartError(f"The platform returned {response.status} for the {part.role} part: {body}")
    with file.open("r+b") as target:
        target.seek(have if response.status == 206 else 0)
        target.truncate()
        while chunk := response.read(_CHUNK):
            target.write(chunk)
            if target.tell() > part.size:
                connection.close()
                raise PartError(f"The {part.role} part is larger than the expected {part.size} bytes.")
        if target.tell() < part.size:
            raise ConnectionError(f"the transfer ended after {target.tell()} of {part.size} bytes")


def _check(part: AssignedPart, file: Path) -> None:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != part.sha256:
        raise PartError(f"The {part.role} part {part.content[:12]} is damaged: its sha256 does not match.")
