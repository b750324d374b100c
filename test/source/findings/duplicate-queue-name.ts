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
               > The name "one" is used by 3 queue-based functions, but a queue-based endpoint serves exactly one.
               > Fix: Give each of them a different name.
               > [second] "one" is also declared here.
               > [third] "one" is also declared here.
def first(): ...
@Endpoint()
def one(): ...
    ^^^ error: duplicate-queue-name [second]
    > The name "one" is used by 3 queue-based functions, but a queue-based endpoint serves exactly one.
    > Fix: Give each of them a different name.
    > [first] "one" is also declared here.
    > [third] "one" is also declared here.
=== b.py
from toolkit_sdk import Endpoint as E
NAME = "on" "e"
@E(NAME)
   ^^^^ error: duplicate-queue-name [third]
   > The name "one" is used by 3 queue-based functions, but a queue-based endpoint serves exactly one.
   > Fix: Give each of them a different name.
   > [first] "one" is also declared here.
   > [second] "one" is also declared here.
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
    > The name "one" is used by 2 queue-based functions, but a queue-based endpoint serves exactly one.
    > Fix: Give each of them a different name.
    > [second] "one" is also declared here.
@queue
def second(): ...
    ^^^^^^ error: duplicate-queue-name [second]
    > The name "one" is used by 2 queue-based functions, but a queue-based endpoint serves exactly one.
    > Fix: Give each of them a different name.
    > [first] "one" is also declared here.
`,
    ],
  ],
  silent: [
    [
      'names known only at run time',
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
      'functions of the same name with different endpoint names',
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
      'a function with another decorator, and a method, of the same name',
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
      'names that differ in case or in a separator',
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
      'a separate project inside the folder',
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
