/** Comments `# toolkit: ignore[code]`, and projects that do not use the toolkit. */
import { describe, it } from 'node:test';
import { check } from './checkProject.ts';

const SDK = 'from toolkit_sdk import Endpoint';

describe('silence', () => {
  it('silences the warnings and hints that a comment names in its line, but never an error', async () => {
    await check(`=== a.py
import requests # toolkit: ignore[top-level-import]
import pandas # toolkit: ignore[no-routes, top-level-import] – used everywhere
import numpy # toolkit: ignore[other]
       ^^^^^ warning: top-level-import
import torch # toolkit: ignore
       ^^^^^ warning: top-level-import
text = "# toolkit: ignore[no-routes]"; pass; ${SDK}
api = Endpoint( # toolkit: ignore[no-routes]
    name="api")
@Endpoint(
    name="a",
    workers=(3, 1), # toolkit: ignore[invalid-workers]
            ^^^^^^ error: invalid-workers
            > workers has a minimum (3) that is greater than its maximum (1).
            > Fix: Write workers=(1, 3). A comment cannot silence an error.
    dependencies=[
        "numpy", # toolkit: ignore[provided-by-image]
        "torch",
        ^^^^^^^ hint: provided-by-image
    ],
)
def a(): # toolkit: ignore[missing-description]
    ...
@Endpoint(name="b")
def b(): ...
    ^ hint: missing-description
`);
  });

  it('covers whole projects that do not use toolkit_sdk', async () => {
    await check(`=== .gitignore
local_settings.py
=== local_settings.py
=== json.py
=== app.py
import requests, local_settings
from fastapi import FastAPI
from starlette.endpoints import HTTPEndpoint as Endpoint
api = Endpoint(name=1, workers="many")
@api.get("no/slash")
def a(): ...
@undefined.get("/x")
def b(): ...
@Endpoint
class C:
    def one(self): ...
    def two(self): ...
Endpoint("a")(b)
=== other.py
class Endpoint: ...
@Endpoint(cpu=3, gpu=4)
def d(): ...
=== pyproject.toml
[tool.other]
endpoints = [1]
`);
  });
});
