"""A process that has imported what workers of its kind need, and forks itself for each worker. It runs no user code.

It serves one agent over a socket, and sends a byte each time it is ready for a request. A request contains the new
process's environment, and its standard output, standard error and link as descriptors. The zygote forks twice, so that
the new process becomes an orphan. The agent adopts it, and so receives its exit code.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import site
import socket
import struct
import sys
from typing import Any

from .process_mark import ProcessMark
from .protocol import LINK_VARIABLE, WORKER_VARIABLE
from .shared_imports import import_needed, import_usual

# Head of a request: the length of its JSON text. The descriptors are sent with it.
_LENGTH = struct.Struct(">I")
# A response: the new process's id, or a negative errno.
_ANSWER = struct.Struct(">i")

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15


def await_start() -> str:
    """Imports what workers share, then forks a worker for each request.

    Returns:
        The path of the worker's handler, in the worker's process. The zygote itself returns only if it cannot fork,
        because a package has started a thread: then this process becomes the worker.

    Raises:
        SystemExit: The agent needs no more workers.
    """
    start = json.loads(sys.argv[2])
    control = socket.socket(fileno=start["control"])
    control.set_inheritable(False)
    mark = ProcessMark()
    _name_process("toolkit-zygote")
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != start["parent"]:
        raise SystemExit("The node agent has ended.")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    site.setquit()  # Adds exit() and quit(), which -S leaves out.
    for folder in start["folders"]:
        site.addsitedir(folder)
    is_load_balanced = start["kind"] == "load-balanced"
    import_needed(is_load_balanced=is_load_balanced)
    sys.argv[1:] = []
    can_fork = len(os.listdir("/proc/self/task")) == 1
    is_warm = False
    while True:
        gc.collect()
        gc.freeze()
        control.sendall(b"\1" if can_fork else b"\0")
        request = _receive(control)
        if request is None:
            raise SystemExit(0)
        fields, descriptors = request
        if not can_fork:
            control.close()
            return _become(fields, descriptors, mark)
        pid = _fork_twice()
        if pid == 0:
            control.close()
            return _become(fields, descriptors, mark)
        for descriptor in descriptors:
            os.close(descriptor)
        control.sendall(_ANSWER.pack(pid))
        if not is_warm:
            import_usual(is_load_balanced=is_load_balanced)
            is_warm = True


def _receive(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """The next request; None when the agent has closed its end."""
    head, descriptors, _, _ = socket.recv_fds(control, _LENGTH.size, 3)
    if len(head) < _LENGTH.size:
        return None
    body = bytearray()
    (length,) = _LENGTH.unpack(head)
    while len(body) < length:
        piece = control.recv(length - len(body))
        if not piece:
            return None
        body += piece
    return json.loads(body), descriptors


def _fork_twice() -> int:
    """Forks a grandchild whose parent ends at once. Returns its id, 0 in the grandchild, or a negative errno."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        between = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        return -(error.errno or 1)
    if between == 0:
        os.close(reading)
        try:
            worker = os.fork()
        except OSError as error:
            worker = -(error.errno or 1)
        if worker == 0:
            os.close(writing)
            return 0
        os.write(writing, _ANSWER.pack(worker))
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        answer = pipe.read(_ANSWER.size)
    os.waitpid(between, 0)
    return _ANSWER.unpack(answer)[0] if answer else -1


def _become(fields: dict[str, Any], descriptors: list[int], mark: ProcessMark) -> str:
    """Turns this process into the worker's: sets its output, environment, link and working directory."""
    _name_process("toolkit-worker")
    out, err, link = descriptors
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.close(out)
    os.close(err)
    mark.write(fields["environment"].get(WORKER_VARIABLE, ""))
    os.environ.clear()
    os.environ.update(fields["environment"])
    os.environ[LINK_VARIABLE] = str(link)
    os.chdir(fields["folder"])
    return fields["handler"]


def _name_process(name: str) -> None:
    """Names the process for `ps` and `top`, because forked workers have the zygote's command line."""
    ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode())
