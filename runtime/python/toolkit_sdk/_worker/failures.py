"""Turns exceptions of the user's code into the structured reason of a failed job, with only the user's frames."""

from __future__ import annotations

import json
import os
import platform
import socket
import traceback
from collections.abc import Callable, Mapping

from .hidden_modules import hiding_sentence
from .protocol import ERROR_BYTES

_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def exception_reason(error: BaseException, code_root: str) -> str:
    """The JSON text for a failed job's `error`.

    Args:
        error: The exception that the function raised.
        code_root: The artifact's root. Paths of files in it are made relative to it.
    """
    kind = type(error)
    name = (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )
    return reason(name, exception_message(error), user_traceback(error, code_root))


def reason(error_type: str, message: str, frames: str = "") -> str:
    """A structured reason from this process: the JSON text for a failed job's `error`."""
    return reason_of(os.environ, platform.python_version(), error_type, message, frames)


def reason_of(environment: Mapping[str, str], python: str, error_type: str, message: str, frames: str = "") -> str:
    """A structured reason from a worker with this environment and version of Python."""
    texts = {"error_type": error_type, "error_message": message, "error_traceback": frames}
    worker = {
        "hostname": environment.get("RUNPOD_POD_HOSTNAME") or socket.gethostname(),
        "worker_id": environment.get("RUNPOD_POD_ID", ""),
        "runtime_version": f"Python {python}",
    }
    whole = json.dumps({**texts, **worker})
    # It is posted as a string in JSON.
    if len(json.dumps(whole)) <= ERROR_BYTES:
        return whole
    return json.dumps({**{name: _shortened(text) for name, text in texts.items()}, **worker})


def _shortened(text: str) -> str:
    """The text without its middle if it is long: a traceback begins with its frames and ends with the exception."""
    left_out = len(text) - 2 * _KEPT
    return text if left_out <= 0 else f"{text[:_KEPT]}\n… {left_out:,} characters are left out …\n{text[-_KEPT:]}"


# Characters at each end of a text that is too long. If each takes 14 bytes in the posted JSON, three such texts fit.
_KEPT = 10_000


def exception_message(error: BaseException) -> str:
    """The exception's message. Adds what to do about a missing package or a hidden module, and explains an exit."""
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
    """The value's text. Producing it runs the user's code, which may raise."""
    try:
        return text(value)
    except BaseException as failure:
        return f"<its text cannot be read: {type(failure).__name__}>"


def user_traceback(error: BaseException, code_root: str) -> str:
    """The traceback as Python prints it, without the frames of the worker and of packages that call the project."""
    formatted = traceback.TracebackException(type(error), error, error.__traceback__)
    seen: set[int] = set()
    pending = [formatted]
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        kept = [frame for frame in each.stack if not _is_own(frame.filename)]
        each.stack = traceback.StackSummary.from_list(kept)
        for frame in each.stack:
            frame.filename = _project_path(frame.filename, code_root)
        # A syntax error names its file itself, because no frame is in that file.
        broken = getattr(each, "filename", None)
        if isinstance(broken, str):
            each.filename = _project_path(broken, code_root)
        pending += [cause for cause in (each.__cause__, each.__context__) if cause is not None]
    first = next((at for at, frame in enumerate(formatted.stack) if _is_of_project(frame.filename)), 0)
    formatted.stack = traceback.StackSummary.from_list(formatted.stack[first:])
    return "".join(formatted.format())


def _is_of_project(path: str) -> bool:
    """Whether a path that may be relative to the project is of one of its files."""
    return not os.path.isabs(path) and not path.startswith(("<", f"_toolkit{os.sep}"))


def _project_path(filename: str, code_root: str) -> str:
    root = code_root + os.sep
    return filename[len(root) :] if filename.startswith(root) else filename


def _is_own(filename: str) -> bool:
    if filename.startswith("<frozen importlib") or filename.startswith("<frozen runpy"):
        return True
    return filename.startswith(_OWN_FOLDER) or f"{os.sep}_toolkit{os.sep}handlers{os.sep}" in filename


# Modules whose distribution has another name. The names of a missing package cannot be read from its metadata.
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
    """The name of the distribution that most likely provides a module."""
    top = module.partition(".")[0]
    return _DISTRIBUTIONS.get(module) or _DISTRIBUTIONS.get(top) or top.replace("_", "-")
