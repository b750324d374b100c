"""The program `python -m toolkit_sdk._agent`."""

from __future__ import annotations

import fcntl
import json
import os
import sys
import threading
import traceback
from pathlib import Path

from .agent import Agent
from .byte_code import ByteCode
from .cgroups import enter_cgroup
from .hiding import find_hiding
from .leftovers import remove_leftovers
from .machine import Machine
from .open_files import raise_limit
from .platform_dial import RefusedError
from .protocol import AgentStart
from .spawner import Spawner
from .zygotes import Zygotes


def main() -> None:
    """Runs the agent of this node. Returns at once if one is already running."""
    start = AgentStart(**json.loads(sys.argv[1]))
    lock = os.open(start.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    threading.excepthook = _end_broken
    remove_leftovers(start.work)
    hiding = find_hiding(start.home)
    cgroups = enter_cgroup()
    spawner = Spawner(raise_limit())
    machine = Machine(
        logs=Path(start.logs),
        work=Path(start.work),
        cache=Path(start.cache),
        hiding=hiding,
        cgroups=cgroups,
        spawner=spawner,
        zygotes=Zygotes(spawner),
        byte_code=ByteCode(spawner),
    )
    try:
        agent = Agent(start, machine)
    except RefusedError as error:
        sys.exit(str(error))
    agent.run()
    spawner.run()


def _end_broken(failed: threading.ExceptHookArgs) -> None:
    """Ends the agent after a bug in one of its threads, so that another agent replaces it.

    Without the thread, the agent would hold workers and do nothing.
    """
    name = failed.thread.name if failed.thread is not None else "unknown"
    lines = "".join(traceback.format_exception(failed.exc_type, failed.exc_value, failed.exc_traceback))
    sys.stderr.write(f'The agent\'s thread "{name}" failed; the agent and its workers end:\n{lines}')
    os._exit(70)
