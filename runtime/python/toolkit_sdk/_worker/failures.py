"""Exceptions of the user's code → the structured reason that a failed job carries, with the user's frames only."""

from __future__ import annotations

import json
import os
import platform
import socket
import traceback
from collections.abc import Callable, Mapping

from .hidden_modules import hiding_sentence

_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def exception_reason(error: BaseException, code_root: str) -> str:
    """The JSON string that stands in a failed job's `error`.

    Args:
        error: What the function raised.
        code_root: Files below it are told relative to it.
    """
    kind = type(error)
    name = (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )
    return reason(name, exception_message(error), user_traceback(error, code_root))


def reason(error_type: str, message: str, frames: str = "") -> str:
    """A structured reason, told by the worker's own process: what a failed job's `error` decodes to."""
    return reason_of(os.environ, platform.python_version(), error_type, message, frames)


def reason_of(environment: Mapping[str, str], python: str, error_type: str, message: str, frames: str = "") -> str:
    """A structured reason for the process with an environment and a version of Python."""
    return json.dumps(
        {
            "error_type": error_type,
            "error_message": message,
            "error_traceback": frames,
            "hostname": environment.get("RUNPOD_POD_HOSTNAME") or socket.gethostname(),
            "worker_id": environment.get("RUNPOD_POD_ID", ""),
            "runtime_version": f"Python {python}",
        }
    )


def exception_message(error: BaseException) -> str:
    """The exception's text; of a missing package with the remedy, of an exit what happened."""
    hiding = hiding_sentence(error)
    if hiding is not None:
        return f"{_safely(error, str).rstrip('.')}. {hiding}"
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        distribution = distribution_of(error.name)
        return (
            f"No module named {error.name!r}: the package {distribution!r} is not installed on the worker; "
            "declare it in dependencies and import it inside the function body."
        )
    if isinstance(error, SystemExit):
        return f"The function called sys.exit({_safely(error.code, repr)})."
    return _safely(error, str)


def _safely(value: object, text: Callable[[object], str]) -> str:
    """The value's text, which is the user's code too and may raise."""
    try:
        return text(value)
    except BaseException as failure:
        return f"<its text cannot be had: {type(failure).__name__}>"


def user_traceback(error: BaseException, code_root: str) -> str:
    """The traceback as Python prints it, without the worker's own frames."""
    told = traceback.TracebackException(type(error), error, error.__traceback__)
    seen: set[int] = set()
    pending = [told]
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        kept = [frame for frame in each.stack if not _is_own(frame.filename)]
        each.stack = traceback.StackSummary.from_list(kept)
        for frame in each.stack:
            frame.filename = _project_path(frame.filename, code_root)
        # Of a syntax error it is the file that cannot be read, which is in no frame.
        unread = getattr(each, "filename", None)
        if isinstance(unread, str):
            each.filename = _project_path(unread, code_root)
        pending += [cause for cause in (each.__cause__, each.__context__) if cause is not None]
    return "".join(told.format())


def _project_path(filename: str, code_root: str) -> str:
    root = code_root + os.sep
    return filename[len(root) :] if filename.startswith(root) else filename


def _is_own(filename: str) -> bool:
    if filename.startswith("<frozen importlib") or filename.startswith("<frozen runpy"):
        return True
    return filename.startswith(_OWN_FOLDER) or f"{os.sep}_toolkit{os.sep}handlers{os.sep}" in filename


# Modules whose distribution has another name; a missing package cannot be asked for its own.
_DISTRIBUTIONS = {
    "PIL": "pillow",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu",
    "fitz": "pymupdf",
    "git": "gitpython",
    "google.protobuf": "protobuf",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "multipart": "python-multipart",
    "nacl": "pynacl",
    "OpenSSL": "pyopenssl",
    "pkg_resources": "setuptools",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "socks": "pysocks",
    "wx": "wxpython",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}


def distribution_of(module: str) -> str:
    """The distribution that most likely provides a module."""
    top = module.partition(".")[0]
    return _DISTRIBUTIONS.get(module) or _DISTRIBUTIONS.get(top) or top.replace("_", "-")
