import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'a name that is bound only when the file runs as a script',
      `=== a.py
import os
${SDK}
@Endpoint(name="a")
def run(prompt: str):
    """Runs."""
    print(f"{settings['size']!r:>{width}}")
             ^^^^^^^^ warning: outer-name [use]
             > settings is defined only under if __name__ == "__main__", which a worker does not run, so run would fail here on a worker.
             > Fix: Move the statement that defines settings out of that block, or into the function.
             > [settings] settings is defined here.
    return [model.load(settings) for settings in prompt if os.path.exists(model.path)]
            ^^^^^ warning: outer-name
            > model is defined only under if __name__ == "__main__", which a worker does not run, so run would fail here on a worker.
            > Fix: Move the statement that defines model out of that block, or into the function.
            > [model] model is defined here.
width = 3
if "__main__" == __name__:
    settings = {"size": 3}
    ^^^^^^^^ [settings]
    with open("model") as handle, handle as (model, rest):
                                             ^^^^^ [model]
        print(run("x"))
`,
    ],
    [
      'a name that only type checkers import, in each body that reads it',
      `=== a.py
from __future__ import annotations
from typing import TYPE_CHECKING, cast
if TYPE_CHECKING:
    from models import Model
                       ^^^^^ [model]
${SDK}
api = Endpoint(name="api")
@api.get("/a")
@api.get("/b")
def a(model: Model = None) -> Model:
    return cast("Model", model)
@api.post("/c")
def c(size: int):
    known: Model
    class Sized(Model):
                ^^^^^ warning: outer-name
                > Model is defined only under if TYPE_CHECKING, which a worker does not run, so c would fail here on a worker.
                > Fix: Import or define Model inside the function.
                > [model] Model is defined here, for type checkers only.
        Model = 1
        sizes = [Model for _ in range(3)]
    return Sized
=== models.py
class Model: ...
`,
    ],
    [
      'a name that is deleted, or belongs to an except clause',
      `=== a.py
${SDK}
table = [1]
for row in table: ...
del (table, row)
     ^^^^^ [del]
            ^^^ [row]
try:
    import missing
except ImportError as reason:
                      ^^^^^^ [reason]
    missing = None
@Endpoint(name="a")
class A:
    def __init__(self):
        self.table = lambda: table
                             ^^^^^ warning: outer-name
                             > table is deleted on line 4, before any call, so A would fail here on a worker.
                             > Fix: Remove that del, or define table inside the function.
                             > [del] table is deleted here.
    def run(self):
        def inner(row=row):
                      ^^^ warning: outer-name
                      > row is deleted on line 4, before any call, so A would fail here on a worker.
                      > Fix: Remove that del, or define row inside the function.
                      > [row] row is deleted here.
            return row
        raise ValueError(inner()) from reason
                                       ^^^^^^ warning: outer-name
                                       > reason belongs to the except clause on line 7, and Python deletes it at the end of that clause, so A would fail here on a worker.
                                       > Fix: Assign it to another name, for example last_reason = reason, and set that name before the try too.
                                       > [reason] reason exists only in this clause.
`,
    ],
    [
      'a name that is bound after the end of its module, and a builtin of a newer Python',
      `=== pyproject.toml
[tool.toolkit]
python = "3.10"
=== a.py
import sys
import typing
${SDK}
if typing.TYPE_CHECKING:
    from exceptiongroup import ExceptionGroup
                               ^^^^^^^^^^^^^^ [group]
@Endpoint(name="a")
 ^^^^^^^^^^^^^^^^^^ error: unsupported-form
 > The module stops at "sys.exit()" on line 9, so a worker could not import this declaration.
 > Fix: Move that statement under if __name__ == "__main__".
 > [exit] The module stops here.
def a():
    raise ExceptionGroup(text, [])
          ^^^^^^^^^^^^^^ warning: outer-name
          > ExceptionGroup is defined only under if TYPE_CHECKING, which a worker does not run, so a would fail here on a worker.
          > Fix: Import or define ExceptionGroup inside the function.
          > [group] ExceptionGroup is defined here, for type checkers only.
                         ^^^^ warning: outer-name
                         > text is defined on line 10, after its module stops, so a would fail here on a worker.
                         > Fix: Move the statement that defines text above the statement that stops the module, or into the function.
                         > [text] text is defined here, which a worker does not reach.
sys.exit()
^^^^^^^^^^ [exit]
text = "late"
^^^^ [text]
`,
    ],
    [
      'methods and routes, and names that only type checkers see',
      `=== a.py
from typing import TYPE_CHECKING
${SDK}
if TYPE_CHECKING:
    from collections import OrderedDict
                            ^^^^^^^^^^^ [OrderedDict]
    Shape = tuple
    ^^^^^ [Shape]
@Endpoint(name="a")
class A:
    def __init__(self):
        self.table = OrderedDict()
                     ^^^^^^^^^^^ warning: outer-name
                     > OrderedDict is defined only under if TYPE_CHECKING, which a worker does not run, so A would fail here on a worker.
                     > Fix: Import or define OrderedDict inside the function.
                     > [OrderedDict] OrderedDict is defined here, for type checkers only.
    def run(self, text) -> "Shape":
        return Shape(text)
               ^^^^^ warning: outer-name
               > Shape is defined only under if TYPE_CHECKING, which a worker does not run, so A would fail here on a worker.
               > Fix: Import or define Shape inside the function.
               > [Shape] Shape is defined here, for type checkers only.
api = Endpoint(name="api")
@api.get("/b")
async def b():
    return OrderedDict()
           ^^^^^^^^^^^ warning: outer-name
           > OrderedDict is defined only under if TYPE_CHECKING, which a worker does not run, so b would fail here on a worker.
           > Fix: Import or define OrderedDict inside the function.
           > [OrderedDict] OrderedDict is defined here, for type checkers only.
`,
    ],
    [
      'a class inside the body, whose own names its methods do not see',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a():
    class Inner:
        size = 1
        double = [size for _ in range(2)]
                  ^^^^ warning: outer-name
                  > size is defined only under if __name__ == "__main__", which a worker does not run, so a would fail here on a worker.
                  > Fix: Move the statement that defines size out of that block, or into the function.
                  > [size] size is defined here.
        def run(self):
            return size
    return Inner
if __name__ == "__main__":
    size = 3
    ^^^^ [size]
`,
    ],
    [
      'a name of a branch that no worker runs, however its condition is written',
      `=== a.py
import sys
from typing import TYPE_CHECKING
${SDK}
if __name__ != "__main__":
    both = 1
elif len(sys.argv) > 1:
    size = int(sys.argv[1])
    ^^^^ [size]
    both = 2
if sys.argv and __name__ == "__main__":
    debug = True
    ^^^^^ [debug]
if sys.argv:
    pass
elif TYPE_CHECKING:
    from models import Model
                       ^^^^^ [model]
@Endpoint(name="a")
def a():
    print(both, size)
                ^^^^ warning: outer-name
                > size is defined only under if __name__ == "__main__", which a worker does not run, so a would fail here on a worker.
                > Fix: Move the statement that defines size out of that block, or into the function.
                > [size] size is defined here.
    return debug, Model
           ^^^^^ warning: outer-name
           > debug is defined only under if __name__ == "__main__", which a worker does not run, so a would fail here on a worker.
           > Fix: Move the statement that defines debug out of that block, or into the function.
           > [debug] debug is defined here.
                  ^^^^^ warning: outer-name
                  > Model is defined only under if TYPE_CHECKING, which a worker does not run, so a would fail here on a worker.
                  > Fix: Import or define Model inside the function.
                  > [model] Model is defined here, for type checkers only.
=== models.py
class Model: ...
`,
    ],
  ],
  silent: [
    [
      'a name that is read only in scripts, and names that conditions also bind for workers',
      `=== a.py
import sys
from typing import TYPE_CHECKING
${SDK}
if not TYPE_CHECKING:
    Model = object
else:
    from models import Model
if __name__ != "__main__":
    size = 1
if (found := len(sys.argv)) and __name__ == "__main__":
    cache = {}
@Endpoint(name="a")
def a():
    if __name__ == "__main__":
        print(cache)
    elif not TYPE_CHECKING:
        pass
    return Model, size, found
=== models.py
class Model: ...
`,
    ],
    [
      'names that the body binds itself, in any way that Python has',
      `=== a.py
import sys
${SDK}
@Endpoint(name="a", dependencies=["five", "six"])
def a(one, *two, three=1, **four):
    import five.part, six as seven
    from x_local import eight as nine
    for ten, (eleven, *twelve) in one: ...
    with open("f") as thirteen: ...
    try: ...
    except ValueError as fourteen: print(fourteen)
    if (fifteen := 1): ...
    match one:
        case {"k": sixteen, **seventeen}: ...
        case [eighteen, *nineteen] if eighteen: ...
        case sys.stdin as twenty: ...
    def outer():
        local = 1
        def inner():
            nonlocal local
            local = 2
            return local
        return inner
    class Shape:
        side = 1
        area = side * side
    def generic[T](value): return T
    [whole for whole in two]
    {key: value for key, value in four.items() for value in [last := key]}
    return (one, two, three, four, five, seven, nine, ten, eleven, twelve, thirteen, fifteen, sixteen, seventeen, nineteen, twenty, last, outer, Shape, generic, (lambda own, *, named=1: own + named))
if __name__ == "__main__":
    one = two = three = four = five = seven = nine = ten = eleven = twelve = thirteen = fourteen = 1
    fifteen = sixteen = seventeen = eighteen = nineteen = twenty = local = side = T = whole = key = value = last = own = named = 1
=== x_local.py
eight = 1
`,
    ],
    [
      'code evaluated with the module: decorators, defaults and annotations',
      `=== a.py
from __future__ import annotations
import typing
if typing.TYPE_CHECKING:
    from models import Model, Options
${SDK}
@Endpoint(name="a")
def a(model: Model, *, options: Options | None = None) -> list[Model]:
    found: list[Model] = []
    def inner(one: Model) -> Options: ...
    return found
=== models.py
class Model: ...
class Options: ...
`,
    ],
    [
      'names that are also bound elsewhere, or in ways the text does not show',
      `=== a.py
import sys
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from models import Model
else:
    Model = object
try:
    import fast
except ImportError as error:
    fast, failure = None, error
counter = 0
def count():
    global counter, started
    counter = started = 1
if __name__ == "__main__":
    counter = 3
    started = True
    total = 5
total = 1
temporary = 1
del temporary
temporary = 2
if sys.platform == "win32":
    del temporary
${SDK}
@Endpoint(name="a")
def a():
    return Model, fast, failure, counter, started, total, temporary
=== b.py
${SDK}
globals().update(settings=1)
if __name__ == "__main__":
    settings = 2
@Endpoint(name="b")
def b():
    return settings
=== c.py
from models import *
${SDK}
if __name__ == "__main__":
    Model = 2
@Endpoint(name="c")
def c():
    return Model
=== models.py
class Model: ...
`,
    ],
    [
      'builtins that the script part shadows, and reads that are handled or never run',
      `=== a.py
from typing import TYPE_CHECKING
${SDK}
@Endpoint(name="a")
def a(items):
    try:
        verbose
    except NameError:
        verbose_now = False
    if TYPE_CHECKING:
        print(Model)
    return max(input(item, key=id) for item in items), __file__
def helper():
    return args
if __name__ == "__main__":
    input = id = max = print
    verbose = True
    args = Model = None
`,
    ],
    [
      'attributes, keywords and strings of the same name',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a(job):
    job.args(args=job["args"], text="args")  # args
    return job.args
if __name__ == "__main__":
    args = 1
`,
    ],
    [
      'the other branch of a script’s block, and loops and conditions',
      `=== a.py
import sys
from typing import TYPE_CHECKING
${SDK}
if __name__ == "__main__":
    MODE = "script"
else:
    MODE = "worker"
if __name__ != "__main__":
    LOADED = True
if TYPE_CHECKING:
    import decimal
elif sys.version_info > (3, 9):
    import decimal
if not TYPE_CHECKING:
    Alias = dict
while True:
    SIZE = 1
    break
@Endpoint(name="a")
def a():
    return MODE, LOADED, decimal, Alias, SIZE
`,
    ],
    [
      'a body that binds the name in the module, or a module that does so at run time',
      `=== a.py
${SDK}
globals()["TABLE"] = {}
@Endpoint(name="a")
def a():
    global MODEL
    MODEL = 1
    return MODEL, TABLE
if __name__ == "__main__":
    MODEL = None
`,
    ],
  ],
};
