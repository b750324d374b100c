import { type FindingFixtures, SDK } from './fixtures.ts';

const texts = (module: string, endpoint: string, distribution = module) =>
  `> ${module} is not provided by the dependencies of "${endpoint}", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
           > Fix: Add "${distribution}" to dependencies.`;

export const fixtures: FindingFixtures = {
  repairs: { changes: ['dependencies'] },
  fires: [
    [
      'undeclared packages, by the name of their distribution',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=["requests"])
def a():
    import cv2
           ^^^ warning: undeclared-dependency
           ${texts('cv2', 'a', 'opencv-python')}
    import requests, pandas.io.json as reader
                     ^^^^^^^^^^^^^^ warning: undeclared-dependency
           ${texts('pandas', 'a')}
    def inner():
        from google.cloud import storage, vision
                                 ^^^^^^^ warning: undeclared-dependency
           ${texts('google.cloud.storage', 'a', 'google-cloud-storage')}
                                          ^^^^^^ warning: undeclared-dependency
           ${texts('google.cloud.vision', 'a', 'google-cloud-vision')}
        from azure.storage.blob import BlobClient
             ^^^^^^^^^^^^^^^^^^ warning: undeclared-dependency
           ${texts('azure.storage.blob', 'a', 'azure-storage-blob')}
`,
    ],
    [
      'in methods of a class, in routes, and when only another endpoint declares it',
      `=== requirements.txt
-r base.txt
=== base.txt
-c limits.txt
httpx
=== limits.txt
transformers<5
=== a.py
${SDK}
@Endpoint(name="model", dependencies=["Pillow"])
class Model:
    def __init__(self):
        import PIL.Image, httpx
        import transformers
               ^^^^^^^^^^^^ warning: undeclared-dependency
           ${texts('transformers', 'model')}
    def run(self):
        import sklearn.linear_model
               ^^^^^^^^^^^^^^^^^^^^ warning: undeclared-dependency
           ${texts('sklearn', 'model', 'scikit-learn')}
api = Endpoint(name="api", dependencies=["transformers"])
@api.get("/a")
def a():
    import transformers, uvicorn, starlette.responses, pydantic
@Endpoint(name="queue")
def queue():
    from fastapi import FastAPI
         ^^^^^^^ warning: undeclared-dependency
           ${texts('fastapi', 'queue')}
`,
    ],
    [
      'methods, routes, and each endpoint by its own list',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=["pandas"])
class A:
    def __init__(self):
        import pandas
        import polars
               ^^^^^^ warning: undeclared-dependency
               > polars is not provided by the dependencies of "a", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
               > Fix: Add "polars" to dependencies.
    def run(self):
        from bs4 import BeautifulSoup
             ^^^ warning: undeclared-dependency
             > bs4 is not provided by the dependencies of "a", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
             > Fix: Add "beautifulsoup4" to dependencies.
api = Endpoint(name="api", dependencies=["polars"])
@api.get("/b")
def b():
    import polars
    import pandas
           ^^^^^^ warning: undeclared-dependency
           > pandas is not provided by the dependencies of "api", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
           > Fix: Add "pandas" to dependencies.
`,
    ],
    [
      "packages that only the project's own build tool would know",
      `=== pyproject.toml
[project]
name = "app"
dynamic = ["dependencies", "version"]
[tool.setuptools.dynamic]
dependencies = { file = ["deps.in"] }
=== requirements.txt
rich
=== deps.in
pandas
=== a.py
${SDK}
@Endpoint(name="a")
def a():
    import rich, pandas
                 ^^^^^^ warning: undeclared-dependency
                 > pandas is not provided by the dependencies of "a", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
                 > Fix: Add "pandas" to dependencies, or to requirements.txt: a build does not read the project's dynamic dependencies.
`,
    ],
    [
      'packages of extras and dependency groups, which a build does not install',
      `=== pyproject.toml
[project]
name = "app"
dependencies = ["rich"]
[project.optional-dependencies]
ml = ["Pandas>=2"]
[dependency-groups]
dev = ["requests", {include-group = "other"}]
=== a.py
${SDK}
@Endpoint(name="a")
def a():
    import rich, pandas
                 ^^^^^^ warning: undeclared-dependency
                 > pandas is not provided by the dependencies of "a", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
                 > Fix: Add "pandas" to dependencies, or to requirements.txt: a build does not read [project.optional-dependencies] ml.
    import requests
           ^^^^^^^^ warning: undeclared-dependency
           > requests is not provided by the dependencies of "a", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
           > Fix: Add "requests" to dependencies, or to requirements.txt: a build does not read [dependency-groups] dev.
`,
    ],
    [
      'packages of Poetry’s own tables and of other systems, and packages with unknown requirements',
      `=== pyproject.toml
[tool.poetry.dependencies]
python = "^3.12"
Pandas = "^2"
[tool.poetry.group.ml.dependencies]
scikit-learn = { version = "^1.5", extras = ["x"] }
=== requirements.txt
pywin32; sys_platform == "win32"
=== a.py
${SDK}
@Endpoint(name="a", dependencies=["requests"])
def a():
    import pandas
           ^^^^^^ warning: undeclared-dependency
           > pandas is not provided by the dependencies of "a", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it.
           > Fix: Add "pandas" to dependencies, or to requirements.txt: a build does not read [tool.poetry.dependencies].
    import win32api
           ^^^^^^^^ warning: undeclared-dependency
           ${texts('win32api', 'a', 'pywin32')}
@Endpoint(name="b", dependencies=["frobnicate", "requests"])
def b():
    from sklearn.svm import SVC
         ^^^^^^^^^^^ warning: undeclared-dependency
           > sklearn is not provided by the dependencies of "b", requirements.txt, the dependencies in pyproject.toml or the base image, so a worker could not import it, unless frobnicate installs it.
           > Fix: Add "scikit-learn" to dependencies, or to requirements.txt: a build does not read [tool.poetry.group.ml.dependencies].
@Endpoint(name="c", dependencies=["frobnicate>=1", "tinker"])
def c():
    import our_models
           ^^^^^^^^^^ warning: undeclared-dependency
           > our_models is not a module of the project, an installed package or a known package, so a worker could not import it, unless one of the other packages installs it.
           > Fix: Correct the module's name, or add its package to dependencies.
`,
    ],
    [
      'modules that the project lacks, whose names are never suggested, and one that another endpoint declares',
      `=== service/a.py
${SDK}
@Endpoint(name="a")
def a():
    from app.models import Model
         ^^^^^^^^^^ warning: undeclared-dependency
         > app is not a module of the project, an installed package or a known package, so a worker could not import it.
         > Fix: Correct the module's name, or add its package to dependencies.
    import app_internal
           ^^^^^^^^^^^^ warning: undeclared-dependency
           > app_internal is not a module of the project, an installed package or a known package, so a worker could not import it.
           > Fix: Correct the module's name, or add its package to dependencies.
    import frobnicate
           ^^^^^^^^^^ warning: undeclared-dependency
           ${texts('frobnicate', 'a')}
@Endpoint(name="b", dependencies=["frobnicate"])
def b(): ...
`,
    ],
  ],
  silent: [
    [
      'modules that an extra can provide',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=["fastapi[all]", "transformers[torch]"])
def a():
    import accelerate, uvicorn, websockets, httptools, uvloop
@Endpoint(name="b", dependencies=["tinker[x]"])
def b():
    import our_models, pandas
`,
    ],
    [
      'modules of packages that widely used ones require',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=["transformers>=4.40", "pandas"])
def a():
    import tqdm.auto, yaml, safetensors.torch, huggingface_hub, dateutil.parser, six
@Endpoint(name="b", dependencies=["sentence-transformers"])
def b():
    import transformers, sklearn.cluster, scipy, joblib
`,
    ],
    [
      'dependencies in any spelling, with extras, versions, markers and addresses',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=[
    "PyYAML>=6,<7", "ruamel.yaml==0.18 ; python_version < '3.13'", "scikit_learn[extra] ~= 1.5",
    "opencv_python_headless", "mypkg @ https://example.com/mypkg-1.0-py3-none-any.whl", "google-cloud-storage",
    "Beautiful-Soup4", "beautifulsoup4", "python-jose[cryptography]",
])
def a():
    import yaml, ruamel.yaml, sklearn, cv2, mypkg, bs4, jose
    from google.cloud import storage
`,
    ],
    [
      'dependencies for all endpoints in requirements.txt and pyproject.toml',
      `=== requirements.txt
# the base
requests==2.32.3 \\
    --hash=sha256:0000000000000000000000000000000000000000000000000000000000000000
-r more/extra.txt
=== more/extra.txt
-r ../requirements.txt
rich  # tables
=== pyproject.toml
[project]
name = "app"
version = "1"
dependencies = ["attrs>=23"]
=== a.py
${SDK}
@Endpoint(name="a")
def a():
    import requests, rich, attr, attrs
`,
    ],
    [
      'the base image, the worker, Python, the toolkit and the project itself',
      `=== tools/__init__.py
=== src/shared.py
=== a.py
${SDK}
@Endpoint(name="a")
def a():
    import torch, torchvision.models, numpy as np, sympy, json, importlib.metadata, toolkit_sdk
    import tools.inner, shared
    from . import tools as again
    from .tools import inner
`,
    ],
    [
      'imports that may fail, that type checkers alone see, and those of helpers',
      `=== a.py
from typing import TYPE_CHECKING
${SDK}
def helper():
    import pandas
@Endpoint(name="a")
def a():
    try:
        import orjson as json
    except ImportError:
        import json
    if TYPE_CHECKING:
        from pandas import DataFrame
    return helper()
@helper
def other():
    import pandas
`,
    ],
    [
      'unknown dependencies, and a custom image',
      `=== a.py
import os
${SDK}
@Endpoint(name="a", dependencies=os.environ["DEPENDENCIES"].split())
                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a():
    import pandas
@Endpoint(name="b", image="example.com/own:1")
def b():
    import pandas
`,
    ],
    [
      'packages that the lock lists as requirements of a dependency',
      `=== pylock.toml
lock-version = "1.0"
created-by = "uv"
[[packages]]
name = "pandas"
version = "2.2.3"
dependencies = [{ name = "python-dateutil" }, { name = "pytz" }]
[[packages]]
name = "python-dateutil"
version = "2.9.0"
dependencies = [{ name = "six" }]
[[packages]]
name = "six"
version = "1.17.0"
[[packages]]
name = "pytz"
version = "2025.1"
=== a.py
${SDK}
@Endpoint(name="a", dependencies=["pandas"])
def a():
    import pandas, dateutil.parser, six, pytz
`,
    ],
    [
      'extras, addresses, markers and wheels',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=[
    "httpx[http2]>=0.27 ; python_version >= '3.9'",
    "polars @ https://files.example/polars-1.0-py3-none-any.whl",
    "git+https://git.example/team/duckling.git#egg=duckling",
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-argument
    "./wheels/frobnicate-1.0-py3-none-any.whl",
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-argument
])
def a():
    import httpx
    import polars
    import duckling
    import frobnicate
`,
    ],
    [
      'branches that no worker runs, or for a machine, a version of Python or an optional package',
      `=== a.py
import contextlib, importlib.util, os, platform, sys
from contextlib import suppress
${SDK}
@Endpoint(name="a")
def a():
    if sys.platform == "win32":
        import win32api
    elif os.name != "posix":
        import uvloop
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    if importlib.util.find_spec("orjson") is not None:
        import orjson
    if platform.system() == "Darwin":
        import mlx.core
    with suppress(ImportError):
        import polars
    with contextlib.suppress(ModuleNotFoundError, OSError):
        from rich import print
    return tomllib
`,
    ],
  ],
};
