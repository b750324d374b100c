/**
 * Layouts whose declarations cannot be served: each is reported with its location, and nothing is deployed.
 */
import type { Layout } from './layout.ts';

const GOOD = `=== good.py
from toolkit_sdk import Endpoint
@Endpoint(name="good")
def good(): ...
`;
const good = { good: 'queue good.py:2' };

export const REFUSED: Layout[] = [
  {
    title: 'a factory',
    files: `${GOOD}=== a.py
from toolkit_sdk import Endpoint
def make(name):
    @Endpoint(name=name)
    def work(): ...
    return work
one = make("one")
`,
    endpoints: good,
    findings: ['a.py:3:6 endpoint-in-function', 'a.py:6:7 unsupported-form'],
  },
  {
    title: 'a factory of instances',
    files: `${GOOD}=== a.py
from toolkit_sdk import Endpoint
def make(name):
    return Endpoint(name=name)
api = make("api")
@api.get("/x")
def x(): ...
`,
    endpoints: good,
    findings: ['a.py:3:12 endpoint-in-function', 'a.py:4:7 unsupported-form'],
  },
  {
    title: 'a loop',
    files: `${GOOD}=== a.py
from toolkit_sdk import Endpoint
for name in ["a", "b"]:
    @Endpoint(name=name)
    def work(): ...
`,
    endpoints: { ...good, '?': 'queue a.py:3' },
    findings: ['a.py:3:20 dynamic-value'],
  },
  {
    title: 'a partial of Endpoint',
    files: `=== a.py
from functools import partial
from toolkit_sdk import Endpoint
Small = partial(Endpoint, workers=1)
@Small(name="small")
def work(): ...
`,
    endpoints: {},
    findings: ['a.py:3:9 endpoint-as-value', 'a.py:4:2 unsupported-form'],
  },
  {
    title: 'a class derived from Endpoint',
    files: `=== a.py
from toolkit_sdk import Endpoint
class Mine(Endpoint): ...
@Mine(name="mine")
def work(): ...
`,
    endpoints: {},
    findings: ['a.py:2:12 endpoint-as-value', 'a.py:3:2 unsupported-form'],
  },
  {
    title: 'a decorator without parentheses',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint
def work(): ...
`,
    endpoints: {},
    findings: ['a.py:2:2 unsupported-form'],
  },
  {
    title: 'a walrus without routes, a list and a dict of instances',
    files: `=== a.py
from toolkit_sdk import Endpoint
if (one := Endpoint(name="one")): pass
ALL = [Endpoint(name="two")]
BY = {"x": Endpoint(name="three")}
`,
    endpoints: { one: 'load-balanced a.py:2', two: 'load-balanced a.py:3', three: 'load-balanced a.py:4' },
    findings: ['a.py:2:12 no-routes', 'a.py:3:8 unsupported-form', 'a.py:4:12 unsupported-form'],
  },
  {
    title: 'an instance in an attribute',
    files: `=== a.py
from toolkit_sdk import Endpoint
class App: ...
app = App()
app.api = Endpoint(name="attribute")
@app.api.get("/x")
def x(): ...
`,
    endpoints: { attribute: 'load-balanced a.py:4' },
    findings: ['a.py:4:11 unsupported-form'],
  },
  {
    title: 'a method as a queue-based function',
    files: `=== a.py
from toolkit_sdk import Endpoint
class Service:
    @Endpoint(name="method")
    def work(self): ...
`,
    endpoints: { method: 'queue a.py:3' },
    findings: ['a.py:3:6 unsupported-form'],
  },
  {
    title: 'declarations that workers do not run',
    files: `=== a.py
from typing import TYPE_CHECKING
from toolkit_sdk import Endpoint
if __name__ == "__main__":
    @Endpoint(name="main")
    def main(): ...
if TYPE_CHECKING:
    api = Endpoint(name="typing")
`,
    endpoints: { main: 'queue a.py:4', typing: 'load-balanced a.py:7' },
    findings: ['a.py:4:6 unsupported-form', 'a.py:7:11 unsupported-form'],
  },
  {
    title: 'a route that is called instead of used as a decorator',
    files: `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="called")
def x(): ...
api.get("/x")(x)
y = api.post("/y")
`,
    endpoints: { called: 'load-balanced a.py:2' },
    findings: ['a.py:2:7 no-routes', 'a.py:4:1 unsupported-form', 'a.py:5:5 unsupported-form'],
  },
  {
    title: 'an instance that is called instead of used as a decorator',
    files: `=== a.py
from toolkit_sdk import Endpoint
queue = Endpoint(name="called-queue")
def work(): ...
work = queue(work)
`,
    endpoints: { 'called-queue': 'load-balanced a.py:2' },
    findings: ['a.py:2:9 no-routes', 'a.py:4:8 unsupported-form'],
  },
  {
    title: 'one name for two instances',
    files: `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="first")
@api.get("/a")
def a(): ...
api = Endpoint(name="second")
@api.get("/b")
def b(): ...
`,
    endpoints: { first: 'load-balanced a.py:2', second: 'load-balanced a.py:5' },
    findings: ['a.py:3:2 unsupported-form', 'a.py:6:2 unsupported-form'],
  },
  {
    title: 'a declaration after sys.exit()',
    files: `${GOOD}=== a.py
import sys
from toolkit_sdk import Endpoint
sys.exit(3)
@Endpoint(name="late")
def work(): ...
`,
    endpoints: { ...good, late: 'queue a.py:4' },
    findings: ['a.py:4:2 unsupported-form'],
  },
  {
    title: 'a lambda',
    files: `=== a.py
from toolkit_sdk import Endpoint
work = Endpoint(name="lambda")(lambda text: text)
`,
    endpoints: { lambda: 'load-balanced a.py:2' },
    findings: ['a.py:2:8 unsupported-form'],
  },
  {
    title: 'a class with two public methods',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="two")
class Two:
    def a(self): ...
    def b(self): ...
`,
    endpoints: { two: 'queue a.py:2' },
    findings: ['a.py:3:7 many-functions'],
  },
  {
    title: 'a class whose instance requires arguments',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="needs")
class Model:
    def __init__(self, path): ...
    def run(self): ...
`,
    endpoints: { needs: 'queue a.py:2' },
    findings: ['a.py:2:2 unsupported-form'],
  },
  {
    title: 'one name on two functions',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="same")
def a(): ...
=== b.py
from toolkit_sdk import Endpoint as E
NAME = "same"
@E(name=NAME)
def b(): ...
`,
    endpoints: { same: 'queue b.py:3' },
    findings: ['a.py:2:16 duplicate-queue-name', 'b.py:3:9 duplicate-queue-name'],
  },
  {
    title: 'one instance on two functions',
    files: `=== a.py
from toolkit_sdk import Endpoint
queue = Endpoint(name="both")
@queue
def a(): ...
@queue
def b(): ...
`,
    endpoints: { both: 'queue a.py:2' },
    findings: ['a.py:4:5 duplicate-queue-name', 'a.py:6:5 duplicate-queue-name'],
  },
  {
    title: 'a syntax error next to good declarations',
    files: `${GOOD}=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="broken")
def work(:
    return 1
`,
    endpoints: { ...good, broken: 'queue a.py:2' },
    findings: ['a.py:3:9 syntax-error'],
  },
  {
    title: 'bytes that are not text next to good declarations',
    files: {
      'good.py': 'from toolkit_sdk import Endpoint\n@Endpoint(name="good")\ndef good(): ...\n',
      'a.py': Buffer.from('from toolkit_sdk import Endpoint\n# \xff\n', 'latin1'),
    },
    endpoints: good,
    findings: ['a.py:2:1 unreadable-file'],
  },
  {
    title: 'a value from a function, from an unsupported operator and from the environment',
    files: `=== a.py
import os
from toolkit_sdk import Endpoint
@Endpoint(name="a", workers=(0, ord("b")))
def a(): ...
@Endpoint(name="b", idle_timeout=60 << 3)
def b(): ...
@Endpoint(name=os.environ["NAME"])
def c(): ...
`,
    endpoints: { a: 'queue a.py:3', b: 'queue a.py:5', '?': 'queue a.py:7' },
    findings: ['a.py:3:29 dynamic-value', 'a.py:5:34 dynamic-value', 'a.py:7:16 dynamic-value'],
  },
  {
    title: 'a constant that changes',
    files: `=== a.py
from toolkit_sdk import Endpoint
NAMES = ["idna"]
NAMES.append("certifi")
@Endpoint(name="changing", dependencies=NAMES)
def work(): ...
`,
    endpoints: { changing: 'queue a.py:4' },
    findings: ['a.py:4:41 dynamic-value'],
  },
  {
    title: 'a module that is not in the artifact',
    files: `=== .gitignore
local_settings.py
=== local_settings.py
NAME = "local"
=== a.py
from local_settings import NAME
from toolkit_sdk import Endpoint
@Endpoint(name="needs")
def work():
    return NAME
`,
    endpoints: { needs: 'queue a.py:3' },
    findings: ['a.py:1:6 imports-ignored-file'],
  },
  {
    title: 'a route of an undefined name',
    files: `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint()
@api.get("x")
def x(): ...
@apo.get("/y")
def y(): ...
`,
    endpoints: { '?': 'load-balanced a.py:2' },
    findings: ['a.py:2:7 missing-name', 'a.py:3:10 invalid-path', 'a.py:5:2 not-an-endpoint'],
  },
  {
    title: 'mistakes in pyproject.toml',
    files: `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "a"

[[tool.toolkit.endpoints]]
name = "b"
command = "node server.js"
comand = 1
`,
    endpoints: { a: 'queue pyproject.toml:1', b: 'queue pyproject.toml:4' },
    findings: [
      'pyproject.toml:1:1 invalid-argument',
      'pyproject.toml:6:11 invalid-argument',
      'pyproject.toml:7:1 unknown-keyword',
    ],
  },
];
