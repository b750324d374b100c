import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['name'] },
  fires: [
    [
      'a name in settings that are put together, and in a member of an enumeration',
      `=== a.py
import enum
${SDK}
class Names(enum.Enum):
    API = "my api"
@Endpoint(**dict(name="my endpoint"))
            ^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-name
            > "my endpoint" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
            > Fix: Write for example name="my-endpoint".
def a(): ...
@Endpoint(**{"workers": 1} | {"name": "a " + "b"})
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-name
            > "a b" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
            > Fix: Write for example name="a-b".
def b(): ...
@Endpoint(name=Names.API.value)
               ^^^^^^^^^^^^^^^ error: invalid-name
               > "my api" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: Write for example name="my-api".
def c(): ...
`,
    ],
    [
      'blanks, letters outside of the alphabet, and an underscore at the start',
      `=== a.py
${SDK}
@Endpoint(name="my endpoint")
               ^^^^^^^^^^^^^ error: invalid-name
               > "my endpoint" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: Write for example name="my-endpoint".
def a(): ...
@Endpoint(name="größe")
               ^^^^^^^ error: invalid-name
               > "größe" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: Write for example name="gro-e".
def b(): ...
@Endpoint(name="_private")
               ^^^^^^^^^^ error: invalid-name
               > "_private" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: Write for example name="private".
def c(): ...
@Endpoint(name="../x")
               ^^^^^^ error: invalid-name
               > "../x" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: Write for example name="x".
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
    > "_private" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
    > Fix: Write for example name="private".
@Endpoint()
def übersetzen(): ...
    ^^^^^^^^^^ error: invalid-name
    > "übersetzen" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
    > Fix: Write for example name="ubersetzen".
`,
    ],
    [
      'a name of 64 letters',
      `=== a.py
${SDK}
@Endpoint(name="m" * 64)
               ^^^^^^^^ error: invalid-name
               > "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: Write for example name="mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm".
def a(): ...
@Endpoint(name="nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn")
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-name
               > "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" cannot be the name of an endpoint: a name is 1–63 letters, digits, "-" or "_", beginning with a letter or digit.
               > Fix: Write for example name="nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn".
def b(): ...
`,
    ],
  ],
  silent: [
    [
      'names at the edges of the rule',
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
      'a function that begins with an underscore and has a name given',
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
      'a name that only running the code could tell',
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
