import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['name', 'kind'] },
  fires: [
    [
      'at every site, through aliases, constants and the functions’ own names',
      `=== a.py
${SDK}
@Endpoint(name="one")
               ^^^^^ error: duplicate-queue-name [first]
               > The name "one" belongs to 3 queue-based functions, and each endpoint name takes exactly one.
               > Fix: Give each of them a name of its own.
               > [second] "one" is declared here too.
               > [third] "one" is declared here too.
def first(): ...
@Endpoint()
def one(): ...
    ^^^ error: duplicate-queue-name [second]
    > The name "one" belongs to 3 queue-based functions, and each endpoint name takes exactly one.
    > Fix: Give each of them a name of its own.
    > [first] "one" is declared here too.
    > [third] "one" is declared here too.
=== b.py
from toolkit_sdk import Endpoint as E
NAME = "on" "e"
@E(NAME)
   ^^^^ error: duplicate-queue-name [third]
   > The name "one" belongs to 3 queue-based functions, and each endpoint name takes exactly one.
   > Fix: Give each of them a name of its own.
   > [first] "one" is declared here too.
   > [second] "one" is declared here too.
def second(): ...
`,
    ],
    [
      'one declaration on two functions',
      `=== a.py
${SDK}
queue = Endpoint(name="one")
@queue
def first(): ...
    ^^^^^ error: duplicate-queue-name [first]
    > The name "one" belongs to 2 queue-based functions, and each endpoint name takes exactly one.
    > Fix: Give each of them a name of its own.
    > [second] "one" is declared here too.
@queue
def second(): ...
    ^^^^^^ error: duplicate-queue-name [second]
    > The name "one" belongs to 2 queue-based functions, and each endpoint name takes exactly one.
    > Fix: Give each of them a name of its own.
    > [first] "one" is declared here too.
`,
    ],
  ],
  silent: [
    [
      'names that only running the code could tell',
      `=== a.py
import os
${SDK}
@Endpoint(name=os.name)
               ^^^^^^^ hint: dynamic-value
def first(): ...
@Endpoint(name=os.name)
               ^^^^^^^ hint: dynamic-value
def second(): ...
`,
    ],
    [
      'functions of one name with endpoint names of their own',
      `=== images/resize.py
${SDK}
@Endpoint(name="resize-images")
def handler(): ...
=== videos/resize.py
${SDK}
@Endpoint(name="resize-videos")
def handler(): ...
`,
    ],
    [
      'a function of another decorator, and a method, of the same name',
      `=== a.py
import functools
${SDK}
@functools.lru_cache
def one(): ...
class Cache:
    def one(self): ...
=== b.py
${SDK}
@Endpoint(name="one")
def one(): ...
`,
    ],
    [
      'names that differ in upper case or in a separator',
      `=== a.py
${SDK}
@Endpoint(name="text-embed")
def a(): ...
@Endpoint(name="text_embed")
def b(): ...
@Endpoint(name="Text-embed")
def c(): ...
`,
    ],
    [
      'a project of its own inside of the folder',
      `=== a.py
${SDK}
@Endpoint(name="one")
def a(): ...
=== examples/other/pyproject.toml
[tool.toolkit]
app = "other"
=== examples/other/a.py
${SDK}
@Endpoint(name="one")
def a(): ...
`,
    ],
  ],
};
