/** The symbol at a position, and all its references: by Python's own rules, never a wrong one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUses } from '../../runtime/source/references/findUses.ts';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import { openProject } from './liveProject.ts';
import { describePlace, parseMarked } from './markedProject.ts';

const HEAD = 'from toolkit_sdk import Endpoint';

/**
 * Asks from every mark. The marks `def NAME`, `ref NAME` and `maybe NAME` (uncertain) are all references of a
 * name. At `not` there is no endpoint.
 */
async function check(fixture: string): Promise<void> {
  const { files, marks } = parseMarked(fixture);
  const view = (await openProject(files)).view();
  for (const { file, range, label } of marks) {
    const target = targetAt(view, file, range.start);
    const place = describePlace({ file, range });
    if (label === 'not') {
      assert.equal(target, null, `nothing at ${place}`);
      continue;
    }
    assert.equal(target?.kind, 'symbol', `a symbol at ${place}`);
    if (target?.kind !== 'symbol') return;
    const found = await findUses(view, target.origin, 'thing', new AbortController().signal);
    const name = label.split(' ')[1];
    assert.deepEqual(
      found
        .map((use) => {
          const role = use.isDeclaration ? 'def' : use.isCertain ? 'ref' : 'maybe';
          return `${describePlace(use)} ${role} ${name}`;
        })
        .toSorted(),
      marks
        .filter((mark) => mark.label.split(' ')[1] === name)
        .map((mark) => `${describePlace(mark)} ${mark.label}`)
        .toSorted(),
      `asked from ${place}`,
    );
  }
}

describe('references', () => {
  it('finds a function through imports, module attributes, re-exports and aliases', () =>
    check(`
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image):
    ^^^^^^ def resize
    return resize
           ^^^^^^ ref resize
=== package/__init__.py
from .inner import resize
                   ^^^^^^ ref resize
__all__ = ["resize", "other"]
            ^^^^^^ ref resize
__all__ += ["resize"]
             ^^^^^^ ref resize
__all__.extend(("resize",))
                 ^^^^^^ ref resize
=== package/inner.py
from gpu import resize as small, resize
                ^^^^^^ ref resize
                          ^^^^^ ref resize
                                 ^^^^^^ ref resize
=== caller.py
import gpu, package as p
import package.inner
def one():
    gpu.resize(1)
        ^^^^^^ ref resize
    p.resize(1)
      ^^^^^^ ref resize
    package.inner.small(1)
                  ^^^^^ ref resize
    package.inner.resize(1)
                  ^^^^^^ ref resize
def two():
    from package import resize
                        ^^^^^^ ref resize
    return [resize(each) for each in range(3)], f"{resize(1)!r}"
            ^^^^^^ ref resize
                                                   ^^^^^^ ref resize
=== star.py
from package import *
resize(2)
^^^^^^ ref resize
`));

  it('follows an alias in the files that import it', () =>
    check(`
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ def resize
=== hub.py
from gpu import resize as small
                ^^^^^^ ref resize
                          ^^^^^ ref resize
=== caller.py
from hub import small as tiny
                ^^^^^ ref resize
                         ^^^^ ref resize
def f(): return tiny(small)
                ^^^^ ref resize
`));

  it('finds an instance where it decorates, also in other files', () =>
    check(`
=== api.py
${HEAD}
api = Endpoint(name="web")
^^^ def api
@api.get("/a")
 ^^^ ref api
def a(): ...
=== routes.py
from api import api
                ^^^ ref api
import api as module
@api.post("/b")
 ^^^ ref api
def b(): ...
@module.api.put("/c")
        ^^^ ref api
def c(): ...
=== names.py
api = {}
^^^ not
api.get("x")
^^^ not
`));

  it('finds the target of every form of import', () =>
    check(`
=== pkg/__init__.py
=== pkg/gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ def resize
=== pkg/near.py
from.gpu import(resize)
                ^^^^^^ ref resize
from . import gpu as g
g.resize(1)
  ^^^^^^ ref resize
=== pkg/deep/far.py
from . . gpu import resize
                    ^^^^^^ ref resize
from .. import gpu; gpu.resize(1)
                        ^^^^^^ ref resize
=== lines.py
from \\
  pkg.gpu import resize
                 ^^^^^^ ref resize
import os, \\
  pkg . gpu as gpu, sys
gpu.resize(1)
    ^^^^^^ ref resize
=== parentheses.py
from pkg.gpu import (  # (this)
    resize,
    ^^^^^^ ref resize
)
from pkg import (near as n,  # not far)
    gpu as g,
)
g.resize(n)
  ^^^^^^ ref resize
=== whole.py
# from here on
import pkg.other, os
pkg.gpu.resize(1)
        ^^^^^^ ref resize
=== through.py
from whole import pkg as same
import whole
same.gpu.resize(whole.pkg.gpu.resize)
         ^^^^^^ ref resize
                              ^^^^^^ ref resize
=== naïve.py
def load():
    from pkg import gpu
    return gpu
from pkg.gpu import *
=== star.py
import naïve
naïve.resize(1)
      ^^^^^^ ref resize
from naïve import*
resize(1)
^^^^^^ ref resize
=== elsewhere.py
import resize, os.gpu
resize.resize(os.gpu.resize)
^^^^^^ not
       ^^^^^^ not
                     ^^^^^^ not
`));

  it('reads a broken file as far as possible', () =>
    check(`
=== gpu.py
${HEAD}
x = f(
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ def resize
y = )
def after(): return resize
                    ^^^^^^ ref resize
=== caller.py
from gpu import resize
                ^^^^^^ ref resize
def first(: resize
            ^^^^^^ ref resize
def second(): return resize(1)
                     ^^^^^^ ref resize
`));

  it('reads a broken import as far as its text goes', () =>
    check(`
=== gpu.py
${HEAD}
api = Endpoint(name="gpu")
^^^ def api
=== caller.py
from gpu import (api
                 ^^^ maybe api
@api.get("/y")
 ^^^ maybe api
def y(): return api, item.api
                ^^^ maybe api
                          ^^^ not
def z(api): return api
=== other.py
from os import (api
@api.get("/y")
def y(): return api
=== valid.py
# from gpu import (api
print(api)
`));

  it('excludes symbols of the same name with another meaning', () =>
    check(`
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image, default=None): ...
    ^^^^^^ def resize
def parameter(resize): return resize
              ^^^^^^ not
                              ^^^^^^ not
def local():
    resize = 1
    ^^^^^^ not
    def inner(): return resize
                        ^^^^^^ not
    return lambda resize: resize
                          ^^^^^^ not
def outer(default=resize): return default
                  ^^^^^^ ref resize
def comprehension(): return [resize for resize in (resize,)]
                             ^^^^^^ not
                                                   ^^^^^^ ref resize
class Box:
    old: str = resize
               ^^^^^^ ref resize
    resize = resize
    ^^^^^^ not
             ^^^^^^ ref resize
    new = resize
          ^^^^^^ not
    def method(self): return resize, self.resize
                             ^^^^^^ ref resize
                                          ^^^^^^ not
def declared():
    global resize
           ^^^^^^ ref resize
    return resize
           ^^^^^^ ref resize
def loop():
    for resize in (): print(resize)
                            ^^^^^^ not
def handler():
    try: pass
    except ValueError as resize: print(resize)
                                       ^^^^^^ not
def matched(value):
    match value:
        case resize: return resize
                            ^^^^^^ not
def typed[resize](x: resize) -> resize: ...
                     ^^^^^^ not
def walrus(): return [(resize := each) for each in ()], resize
                                                        ^^^^^^ not
print(open(resize=1), dict(resize=resize))
           ^^^^^^ not
                                  ^^^^^^ ref resize
=== other.py
def resize(): ...
    ^^^^^^ not
import gpu
def f(gpu): return gpu.resize
                       ^^^^^^ not
def g(): return [gpu.resize for gpu in ()], gpu.resize
                     ^^^^^^ not
                                                ^^^^^^ ref resize
`));

  it('marks references that can mean something else as uncertain', () =>
    check(`
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ def resize
=== caller.py
try:
    from gpu import resize
                    ^^^^^^ maybe resize
except ImportError:
    def resize(): ...
        ^^^^^^ maybe resize
resize()
^^^^^^ maybe resize
`));

  it('finds classes that are endpoints, and instances in classes', () =>
    check(`
=== model.py
${HEAD}
@Endpoint(name="model")
class Model:
      ^^^^^ def Model
    def run(self): return Model
                          ^^^^^ ref Model
class Apis:
    web = Endpoint(name="web")
    ^^^ def web
    @web.get("/a")
     ^^^ ref web
    def a(): ...
class Same:
    Model = Model
            ^^^^^ ref Model
    @property
    def Model(self, default=Model): ...
                            ^^^^^ not
=== use.py
from model import Apis, Model
                        ^^^^^ ref Model
@Apis.web.get("/b")
      ^^^ ref web
def b(): ...
`));

  it('is certain of a name that is reached in two ways, and handles modules that star-import each other', () =>
    check(`
=== gpu.py
${HEAD}
from loop import *
from loop import *
@Endpoint(name="gpu")
def resize(image): return unknown
    ^^^^^^ def resize
                          ^^^^^^^ not
=== loop.py
from loop import *
from gpu import *
from back import *
=== back.py
from loop import *
from gpu import *
=== either.py
try:
    from loop import resize
                     ^^^^^^ ref resize
except ImportError:
    from back import resize
                     ^^^^^^ ref resize
resize()
^^^^^^ ref resize
`));
});
