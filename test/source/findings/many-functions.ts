import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'more than one public method',
      `=== a.py
${SDK}
@Endpoint(name="two")
class Two:
      ^^^ error: many-functions
      > The class Two has 2 public methods (run, stop), but its endpoint serves exactly one.
      > Fix: Keep one, and prefix the names of the others with an underscore, for example _run.
      > [run] run is a public method.
      > [stop] stop is a public method.
    def run(self): ...
        ^^^ [run]
    async def stop(self): ...
              ^^^^ [stop]
`,
    ],
    [
      'no public method of its own',
      `=== a.py
import functools
${SDK}
class Base:
    def run(self): ...
@Endpoint(name="none")
class Nothing(Base):
      ^^^^^^^ error: many-functions
      > The class Nothing has no public method of its own, so its endpoint has nothing to serve.
      > Fix: Add one method whose name does not begin with an underscore; inherited methods, properties and close do not count.
    limit = 3
    def __init__(self): ...
    def close(self): ...
    def _load(self): ...
    @property
    def size(self): ...
    @functools.cached_property
    def table(self): ...
    class Inner:
        def run(self): ...
`,
    ],
    [
      'a static or class method',
      `=== a.py
${SDK}
@Endpoint(name="static")
class Static:
      ^^^^^^ error: many-functions
      > Static.run is a static or class method, but an endpoint calls a method of an instance.
      > Fix: Make it an instance method: def run(self, ...).
      > [run] run is a public method.
    @staticmethod
    def run(text): ...
        ^^^ [run]
@Endpoint(name="built")
class Built:
      ^^^^^ error: many-functions
      > Built.build is a static or class method, but an endpoint calls a method of an instance.
      > Fix: Make it an instance method: def build(self, ...).
      > [build] build is a public method.
    @classmethod
    def build(cls): ...
        ^^^^^ [build]
`,
    ],
  ],
  silent: [
    [
      'one public method among private ones, properties and close()',
      `=== a.py
${SDK}
@Endpoint(name="one")
class Model:
    def __init__(self):
        self._weights = None
    def __enter__(self): ...
    def _load(self): ...
    @property
    def size(self): ...
    @size.setter
    def size(self, value): ...
    async def predict(self, text): ...
    def close(self): ...
    @staticmethod
    def _clean(text): ...
`,
    ],
    [
      'one method with two definitions',
      `=== a.py
import sys
from typing import overload
${SDK}
@Endpoint(name="one")
class One:
    if sys.platform == "linux":
        def run(self, text): ...
    else:
        def run(self, text, more): ...
@Endpoint(name="two")
class Two:
    @overload
    def run(self, text: str) -> str: ...
    @overload
    def run(self, text: bytes) -> bytes: ...
    def run(self, text): return text
`,
    ],
    [
      'classes without a declaration',
      `=== a.py
import dataclasses
${SDK}
@dataclasses.dataclass
class Options:
    size: int = 1
    def double(self): ...
    def half(self): ...
class Abstract: ...
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'inherited methods, and attributes that are functions',
      `=== a.py
${SDK}
class Base:
    def load(self): ...
    def unload(self): ...
@Endpoint(name="a")
class A(Base):
    transform = staticmethod(str.lower)
    _key = lambda self: 1
    def run(self): ...
`,
    ],
  ],
};
