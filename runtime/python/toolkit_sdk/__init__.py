"""Declare functions as serverless endpoints with `Endpoint`, and call them as if they were local."""

from ._progress import progress
from .endpoint import Endpoint
from .errors import CallError, CallTimeoutError, RemoteError
from .hardware import CpuInstanceType, GpuGroup, GpuType

__version__ = "0.1.0"

__all__ = [
    "CallError",
    "CallTimeoutError",
    "CpuInstanceType",
    "Endpoint",
    "GpuGroup",
    "GpuType",
    "RemoteError",
    "__version__",
    "progress",
]
