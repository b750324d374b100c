"""Fetches source distributions as pip would find them, and runs nothing of them: pip itself would, to learn their names.

Usage: fetch_packages.py PINS FOLDER, with lines `name file sha256` in PINS.
"""

import hashlib
import sys
from pathlib import Path

from pip._internal.commands import create_command


def fetch(pins: Path, folder: Path) -> None:
    """Writes each file of `pins` that is not there yet into `folder`.

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
        for line in pins.read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            name, file, sha256 = line.split()
            if (folder / file).exists():
                continue
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
    fetch(Path(sys.argv[1]), Path(sys.argv[2]))
