"""A process that has imported what workers of its kind need, and becomes them by forking: no user code runs in it.

The next worker is forked before it is asked for: copying the tables of a large process takes milliseconds. This spare
takes the agent's request from a socket, which brings its standard output, standard error and link as descriptors, and
its environment. It is forked by a child that then ends, so that the agent, which adopts
orphans, becomes its parent and learns of its end.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import signal
import site
import socket
import struct
import sys
from typing import Any

from .process_mark import ProcessMark
from .protocol import LINK_VARIABLE, WORKER_VARIABLE
from .shared_imports import import_needed, import_usual

# Of a request: length of its JSON text. It carries the descriptors.
_LENGTH = struct.Struct(">I")
# Of an answer: the new process's id, or a negative errno.
_ANSWER = struct.Struct(">i")

# Seconds until the next worker is forked, unless it is asked for before.
_LATER = 0.1

_Request = tuple[dict[str, Any], list[int]]

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15


def await_start() -> str:
    """Imports what workers share, then waits until one is to be started.

    Returns:
        In the new worker's process: the path of its handler. In the zygote itself it returns only where a fork is not
        possible, because something has started a thread: then this process becomes the worker.

    Raises:
        SystemExit: The agent wants no worker any more.
    """
    start = json.loads(sys.argv[2])
    control = socket.socket(fileno=start["control"])
    control.set_inheritable(False)
    mark = ProcessMark()
    _name_process("toolkit-zygote")
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != start["parent"]:
        raise SystemExit("The agent is gone.")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    site.setquit()  # exit() and quit(), which -S left out.
    for folder in start["folders"]:
        site.addsitedir(folder)
    is_load_balanced = start["kind"] == "load-balanced"
    import_needed(is_load_balanced=is_load_balanced)
    sys.argv[1:] = []
    if len(os.listdir("/proc/self/task")) > 1:
        control.sendall(b"\0")
        return _become(_receive(control), control, mark)
    is_warm = False
    while True:
        gc.collect()
        gc.freeze()
        control.sendall(b"\1")
        # The worker that has just started needs the processor more.
        select.select([control], [], [], _LATER)
        request = _fork_ahead(control)
        if request is not None:
            return _become(request, control, mark)
        if not is_warm:
            import_usual(is_load_balanced=is_load_balanced)
            is_warm = True


def _receive(control: socket.socket) -> _Request:
    """The next request.

    Raises:
        SystemExit: The agent has closed its end.
    """
    head, descriptors, _, _ = socket.recv_fds(control, _LENGTH.size, 3)
    if len(head) < _LENGTH.size:
        raise SystemExit(0)
    body = bytearray()
    (length,) = _LENGTH.unpack(head)
    while len(body) < length:
        piece = control.recv(length - len(body))
        if not piece:
            raise SystemExit(0)
        body += piece
    return json.loads(body), descriptors


def _fork_ahead(control: socket.socket) -> _Request | None:
    """Forks a worker that waits until it is asked for.

    Returns:
        In the worker its request. None in the zygote, once the agent is the worker's parent and knows its id.

    Raises:
        SystemExit: The agent wants no worker any more.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        between = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        _refuse(control, error)
        return None
    if between == 0:
        os.close(reading)
        _name_process("toolkit-spare")
        try:
            worker = os.fork()
        except OSError as error:
            os.write(writing, _ANSWER.pack(-(error.errno or 1)))
            os._exit(0)
        if worker == 0:
            request = _receive(control)
            os.write(writing, _ANSWER.pack(os.getpid()))
            os.close(writing)
            return request
        os.close(writing)
        os.waitpid(worker, 0)
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:
        told = answer.read(_ANSWER.size)
    os.kill(between, signal.SIGKILL)
    os.waitpid(between, 0)
    if not told:
        raise SystemExit(0)
    (pid,) = _ANSWER.unpack(told)
    if pid < 0:
        _refuse(control, OSError(-pid, ""))
    else:
        control.sendall(told)
    return None


def _refuse(control: socket.socket, error: OSError) -> None:
    """Answers the next request with why there is no worker for it."""
    _, descriptors = _receive(control)
    for descriptor in descriptors:
        os.close(descriptor)
    control.sendall(_ANSWER.pack(-(error.errno or 1)))


def _become(request: _Request, control: socket.socket, mark: ProcessMark) -> str:
    """Takes on what makes this process one worker's."""
    control.close()
    fields, descriptors = request
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
    """Names it for `ps` and `top`: all processes of a zygote have the zygote's command line."""
    ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode())
