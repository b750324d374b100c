import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { others: ['undeclared-dependency'] },
  fires: [
    [
      'third-party packages at the top of a file with a declaration',
      `=== a.py
from __future__ import annotations
import json, numpy.linalg as la, os.path
             ^^^^^^^^^^^^ warning: top-level-import
             > numpy is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
             > Fix: Move the import of numpy into the functions that use it.
from PIL import Image
     ^^^ warning: top-level-import
     > PIL is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
     > Fix: Move the import of PIL into the functions that use it.
from google.cloud import storage
     ^^^^^^^^^^^^ warning: top-level-import
     > google is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
     > Fix: Move the import of google into the functions that use it, and add "google-cloud-storage" to their dependencies.
${SDK}
@Endpoint()
def a():
    import torch
`,
    ],
    [
      'also in a file that only adds routes, and inside a class or a condition',
      `=== a.py
${SDK}
api = Endpoint(name="api")
=== b.py
import sys
import requests
       ^^^^^^^^ warning: top-level-import
       > requests is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move the import of requests into the functions that use it, and add "requests" to their dependencies.
from a import api
if len(sys.argv) > 1:
    import numpy
           ^^^^^ warning: top-level-import
           > numpy is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
           > Fix: Move the import of numpy into the functions that use it.
class Settings:
    import pandas
           ^^^^^^ warning: top-level-import
           > pandas is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
           > Fix: Move the import of pandas into the functions that use it, and add "pandas" to their dependencies.
@api.get("/a")
def a(): ...
`,
    ],
    [
      'a module that the project lacks, whose name is never suggested',
      `=== a.py
from app.models import Model
     ^^^^^^^^^^ warning: top-level-import
     > app is not a module of the project, an installed package or a known package. It is imported at the top of a file that declares endpoints, so every import of this file would fail without it.
     > Fix: Correct the module's name, or move the import into the functions that use it and add its package to their dependencies.
${SDK}
@Endpoint()
def a():
    return Model
`,
    ],
    [
      'in branches of conditions that workers do run',
      `=== a.py
import sys
from typing import TYPE_CHECKING
${SDK}
if TYPE_CHECKING:
    import requests
else:
    import numpy
           ^^^^^ warning: top-level-import
           > numpy is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
           > Fix: Move the import of numpy into the functions that use it.
if __name__ != "__main__" and sys.argv:
    pass
else:
    import torch
           ^^^^^ warning: top-level-import
           > torch is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
           > Fix: Move the import of torch into the functions that use it.
if TYPE_CHECKING or sys.argv:
    import sympy
           ^^^^^ warning: top-level-import
           > sympy is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
           > Fix: Move the import of sympy into the functions that use it.
@Endpoint()
def a(): ...
`,
    ],
    [
      'packages that a class or a decorator of the module needs as well',
      `=== a.py
from pydantic import BaseModel, Field
     ^^^^^^^^ warning: top-level-import
     > pydantic is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
     > Fix: Keep this import, because the declaration of a needs it when the file is loaded. Silence this warning with # toolkit: ignore[top-level-import].
import torch
       ^^^^^ warning: top-level-import
       > torch is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move clean into a separate module, because it needs torch when the file is loaded. Import that module inside the functions that use it.
import torch.nn as nn
       ^^^^^^^^ warning: top-level-import
       > torch is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move Net into a separate module, because it needs torch when the file is loaded. Import that module inside the functions that use it.
from tenacity import retry
     ^^^^^^^^ warning: top-level-import
     > tenacity is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
     > Fix: Keep this import, because the declaration of a needs it when the file is loaded. Add "tenacity" to the dependencies of every endpoint in this file, and silence this warning with # toolkit: ignore[top-level-import].
${SDK}
class Request(BaseModel):
    size: int = Field(gt=0)
class Net(nn.Module): ...
@torch.no_grad()
def clean(): ...
api = Endpoint(name="api")
@api.post("/a")
@retry(stop=3)
def a(request: Request):
    class Inner(retry): ...
`,
    ],
    [
      'packages that a class, a variable or a statement of the module needs while it is loaded',
      `=== a.py
from pydantic import BaseModel
     ^^^^^^^^ warning: top-level-import
     > pydantic is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
     > Fix: Move Settings into a separate module, because it needs pydantic when the file is loaded. Import that module inside the functions that use it.
from flask import Flask
     ^^^^^ warning: top-level-import
     > flask is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
     > Fix: Move app into a separate module, because it needs flask when the file is loaded. Import that module inside the functions that use it, and add "flask" to their dependencies.
import numpy as np
       ^^^^^ warning: top-level-import
       > numpy is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move SHAPE into a separate module, because it needs numpy when the file is loaded. Import that module inside the functions that use it.
import torch
       ^^^^^ warning: top-level-import
       > torch is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move the import of torch, and the code that needs it when the file is loaded, into the functions that use it.
${SDK}
class Settings(BaseModel): ...
app = Flask(__name__)
SHAPE = np.zeros(3)
torch.manual_seed(1)
api = Endpoint(name="api")
@api.post("/a")
def a():
    return np, torch, app, Settings
`,
    ],
    [
      'with the distribution to declare, unless it is declared or comes with another',
      `=== requirements.txt
requests>=2
=== a.py
import cv2
       ^^^ warning: top-level-import
       > cv2 is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move the import of cv2 into the functions that use it, and add "opencv-python" to their dependencies.
import yaml
       ^^^^ warning: top-level-import
       > yaml is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move the import of yaml into the functions that use it.
import requests.adapters
       ^^^^^^^^^^^^^^^^^ warning: top-level-import
       > requests is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move the import of requests into the functions that use it.
import pydantic
       ^^^^^^^^ warning: top-level-import
       > pydantic is imported at the top of a file that declares endpoints, so everything that imports this file needs it.
       > Fix: Move the import of pydantic into the functions that use it.
${SDK}
api = Endpoint(name="api", dependencies=["PyYAML==6.0.2"])
@api.get("/a")
def a(): ...
`,
    ],
  ],
  silent: [
    [
      'the standard library, the toolkit, and modules of the project',
      `=== local.py
import requests
=== package/inner.py
import requests
=== src/shared/__init__.py
=== a.py
from __future__ import annotations
import collections.abc, importlib.metadata as metadata
import local, package.inner
import shared
import toolkit_sdk
from . import local as again
from package import inner
${SDK}
@Endpoint()
def a(): ...
`,
    ],
    [
      'imports that may fail, that no worker runs, or that type checkers alone see',
      `=== a.py
import typing
from typing import TYPE_CHECKING
${SDK}
if TYPE_CHECKING:
    import pandas
if typing.TYPE_CHECKING:
    from numpy.typing import NDArray
try:
    import cv2
except ImportError:
    cv2 = None
try:
    import orjson as json
except ModuleNotFoundError:
    import json
if __name__ == "__main__":
    import rich
@Endpoint()
def a(): ...
`,
    ],
    [
      'imports inside of functions and methods',
      `=== a.py
${SDK}
def load():
    import torch
    return torch
@Endpoint()
class A:
    def run(self):
        from PIL import Image
        def inner():
            import numpy
lazy = lambda: __import__("pandas")
`,
    ],
    [
      'classes inside functions, and branches that no worker runs, however their condition is written',
      `=== a.py
import sys, typing as t
${SDK}
if not t.TYPE_CHECKING:
    Frame = object
else:
    from pandas import DataFrame as Frame
if t.TYPE_CHECKING and sys.argv:
    import polars
if sys.argv:
    pass
elif not (t.TYPE_CHECKING):
    pass
else:
    import duckdb
if __name__ != "__main__":
    pass
elif len(sys.argv) > 1:
    import rich
else:
    import click
if len(sys.argv) > 1 and (__name__ == "__main__"):
    import typer
if sys.argv:
    pass
elif sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib
def load():
    class Lazy:
        import requests
    return Lazy
@Endpoint()
def a(): ...
`,
    ],
    [
      'files that declare nothing, even if an endpoint imports them',
      `=== models.py
import torch
from transformers import pipeline
def load(): ...
=== a.py
from models import load
${SDK}
@Endpoint()
def a(): ...
`,
    ],
    [
      'a warning silenced by a comment',
      `=== a.py
import requests  # toolkit: ignore[top-level-import]
${SDK}
@Endpoint()
def a(): ...
`,
    ],
    [
      'branches for a machine, a version of Python or an optional package',
      `=== a.py
import contextlib, importlib.util, sys
${SDK}
if sys.version_info < (3, 11):
    import tomli as tomllib
else:
    import tomllib
if sys.platform == "win32":
    import win32api
elif importlib.util.find_spec("uvloop"):
    import uvloop
with contextlib.suppress(ImportError):
    import rich
@Endpoint()
def a(): ...
`,
    ],
  ],
};
