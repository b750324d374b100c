import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['name'] },
  fires: [
    [
      'a name in combined settings, and in a member of an enumeration',
      `=== a.py
import enum
${SDK}
class Names(enum.Enum):
    API = "my api"
@Endpoint(**dict(name="my endpoint"))
            ^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-name
            > "my endpoint" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
            > Fix: For example: name="my-endpoint".
def a(): ...
@Endpoint(**{"workers": 1} | {"name": "a " + "b"})
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-name
            > "a b" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
            > Fix: For example: name="a-b".
def b(): ...
@Endpoint(name=Names.API.value)
               ^^^^^^^^^^^^^^^ error: invalid-name
               > "my api" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: For example: name="my-api".
def c(): ...
`,
    ],
    [
      'spaces, non-ASCII letters, and an underscore at the start',
      `=== a.py
${SDK}
@Endpoint(name="my endpoint")
               ^^^^^^^^^^^^^ error: invalid-name
               > "my endpoint" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: For example: name="my-endpoint".
def a(): ...
@Endpoint(name="größe")
               ^^^^^^^ error: invalid-name
               > "größe" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: For example: name="gro-e".
def b(): ...
@Endpoint(name="_private")
               ^^^^^^^^^^ error: invalid-name
               > "_private" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: For example: name="private".
def c(): ...
@Endpoint(name="../x")
               ^^^^^^ error: invalid-name
               > "../x" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: For example: name="x".
def d(): ...
`,
    ],
    [
      'the function’s own name, at the function',
      `=== a.py
${SDK}
@Endpoint()
def _private(): ...
    ^^^^^^^^ error: invalid-name
    > "_private" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
    > Fix: For example: name="private".
@Endpoint()
def übersetzen(): ...
    ^^^^^^^^^^ error: invalid-name
    > "übersetzen" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
    > Fix: For example: name="ubersetzen".
`,
    ],
    [
      'a name of 64 letters',
      `=== a.py
${SDK}
@Endpoint(name="m" * 64)
               ^^^^^^^^ error: invalid-name
               > "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: For example: name="mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm".
def a(): ...
@Endpoint(name="nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn")
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-name
               > "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" is not a valid endpoint name: use 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: For example: name="nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn".
def b(): ...
`,
    ],
  ],
  silent: [
    [
      'names at the limits of the rule',
      `=== a.py
${SDK}
@Endpoint(name="0")
def a(): ...
@Endpoint(name="A_-")
def b(): ...
@Endpoint(name="nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn")
def c(): ...
`,
    ],
    [
      'a function that begins with an underscore, with an explicit name',
      `=== a.py
${SDK}
@Endpoint(name="private")
def _private(): ...
api = Endpoint(name="api")
@api.get("/größe")
def größe(): ...
`,
    ],
    [
      'a name known only at run time',
      `=== a.py
import getpass
${SDK}
@Endpoint(name=f"my endpoint of {getpass.getuser()}")
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ],
    [
      'titles of other frameworks',
      `=== a.py
import click
       ^^^^^ warning: top-level-import
from fastapi import FastAPI
     ^^^^^^^ warning: top-level-import
${SDK}
app = FastAPI(title="My service")
@click.command(name="my command")
def command(): ...
@Endpoint(name="a")
def a(name="my endpoint"): ...
`,
    ],
  ],
};
