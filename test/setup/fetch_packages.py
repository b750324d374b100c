"""Fetches distributions as pip would find them, and runs nothing of them: pip itself would, to learn their names.

Usage: fetch_packages.py FOLDER, with lines `name file sha256` on the standard input.
"""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from pip._internal.commands import create_command


def fetch(pins: Iterable[str], folder: Path) -> None:
    """Writes the file of each line into `folder`.

    Raises:
        SystemExit: A file cannot be found, or is not the one that was pinned.
    """
    command = create_command("download")
    options, _ = command.parse_args([])
    with command.main_context():
        session = command.get_default_session(options)
        # Whatever Python this is: the files are read, not installed.
        finder = command._build_package_finder(
            options, session, ignore_requires_python=True
        )
        for line in pins:
            name, file, sha256 = line.split()
            links = [found.link for found in finder.find_all_candidates(name)]
            url = next(
                (link.url_without_fragment for link in links if link.filename == file),
                None,
            )
            if url is None:
                raise SystemExit(f"The package index has no {file}.")
            answer = session.get(url)
            answer.raise_for_status()
            if hashlib.sha256(answer.content).hexdigest() != sha256:
                raise SystemExit(f"{file} is not the file that was pinned.")
            (folder / file).write_bytes(answer.content)


if __name__ == "__main__":
    fetch(sys.stdin, Path(sys.argv[1]))
