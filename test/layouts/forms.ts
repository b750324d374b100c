/** Forms of declarations: functions, generators, classes, commands. */
import type { Layout } from './layout.ts';

export const FORMS: Layout[] = [
  {
    title: 'async functions and generators',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="async")
async def a():
    return "async"
@Endpoint(name="generator")
def b():
    yield 1
    yield 2
@Endpoint(name="async-generator")
async def c():
    yield "x"
`,
    endpoints: { async: 'queue a.py:2', generator: 'queue a.py:5', 'async-generator': 'queue a.py:9' },
    answers: { async: 'async', generator: [1, 2], 'async-generator': ['x'] },
    sample: true,
  },
  {
    title: 'branches of which a worker runs one',
    files: `=== a.py
import os, sys
from toolkit_sdk import Endpoint
if os.name == "nt":
    @Endpoint(name="system", workers=20)
    def windows():
        return "windows"
else:
    @Endpoint(name="system")
    def work():
        return "not windows"
try:
    import no_such_package_of_anybody as json
    @Endpoint(name="imported", workers=1)
    def loads():
        return "tried"
except ImportError:
    import json
    @Endpoint(name="imported", workers=2)
    def loads():
        return json.loads("[1]")
if os.environ.get("HOME", "") == "":
    api = Endpoint(name="api", workers=(0, 1))
else:
    api = Endpoint(name="api", workers=1)
if sys.argv:
    @api.get("/x")
    def x():
        return "with arguments"
else:
    @api.get("/x")
    def x():
        return "without"
`,
    endpoints: { system: 'queue a.py:8', imported: 'queue a.py:13', api: 'load-balanced a.py:22' },
    answers: { system: 'not windows', imported: [1], 'api GET /x': 'with arguments' },
    sample: true,
  },
  {
    title: 'decorators above and below',
    files: `=== a.py
import functools
from toolkit_sdk import Endpoint
def twice(function):
    @functools.wraps(function)
    def inner():
        return function() * 2
    return inner
@Endpoint(name="above")
@twice
def a():
    return 2
@Endpoint(name="cached")
@functools.cache
def b():
    return "cached"
`,
    endpoints: { above: 'queue a.py:8', cached: 'queue a.py:12' },
    answers: { above: 4, cached: 'cached' },
  },
  {
    title: 'an instance that decorates a function',
    files: `=== a.py
from toolkit_sdk import Endpoint
queue = Endpoint(name="by-instance")
@queue
def work():
    return "by-instance"
`,
    endpoints: { 'by-instance': 'queue a.py:2' },
    answers: { 'by-instance': 'by-instance' },
  },
  {
    title: 'two declarations on one function',
    files: `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="stacked-api")
@Endpoint(name="stacked-one")
@Endpoint(name="stacked-two")
def twice():
    return "twice"
@api.get("/x")
@Endpoint(name="stacked-queue")
def both():
    return "both"
`,
    endpoints: {
      'stacked-api': 'load-balanced a.py:2',
      'stacked-one': 'queue a.py:3',
      'stacked-two': 'queue a.py:4',
      'stacked-queue': 'queue a.py:8',
    },
    answers: {
      'stacked-api GET /x': 'both',
      'stacked-one': 'twice',
      'stacked-two': 'twice',
      'stacked-queue': 'both',
    },
  },
  {
    title: 'a class with one public method',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(name="class")
class Model:
    """Counts its calls."""
    def __init__(self):
        self.calls = 0
        self._load()
    def _load(self):
        self.step = 1
    @property
    def size(self):
        return self.calls
    def close(self):
        self.calls = 0
    def predict(self, by: int = 0):
        self.calls += self.step + by
        return self.size
`,
    endpoints: { class: 'queue a.py:2' },
    answers: { class: 1 },
    sample: true,
  },
  {
    title: 'classes whose method has another name first, or is a lambda',
    files: `=== a.py
from toolkit_sdk import Endpoint
@Endpoint(**dict(name="alias"))
class Alias:
    def go(self, n=1):
        return n
    predict = go
    del go
@Endpoint(**dict({"name": "lambda"}))
class Shorter:
    handler = lambda self, n=2: n
`,
    endpoints: { alias: 'queue a.py:2', lambda: 'queue a.py:8' },
    answers: { alias: 1, lambda: 2 },
  },
  {
    title: 'an instance named in a condition',
    files: `=== a.py
import enum
from toolkit_sdk import Endpoint
class Names(str, enum.Enum):
    API = "walrus"
if (api := Endpoint(name=Names.API)):
    @api.get("/x")
    def x():
        return "x"
`,
    endpoints: { walrus: 'load-balanced a.py:5' },
    answers: { 'walrus GET /x': 'x' },
  },
  {
    title: 'classes without a name, async, derived and nested',
    files: `=== a.py
from toolkit_sdk import Endpoint
class Base:
    greeting = "hello"
    def greet(self):
        return self.greeting
@Endpoint()
class Greeter(Base):
    async def run(self):
        return self.greet()
class Models:
    @Endpoint()
    class Inner:
        def run(self):
            return "inner"
`,
    endpoints: { Greeter: 'queue a.py:6', Inner: 'queue a.py:11' },
    answers: { Greeter: 'hello', Inner: 'inner' },
    sample: true,
  },
  {
    title: 'a command that is its own worker',
    files: `=== pyproject.toml
[tool.toolkit]
app = "commands"

[[tool.toolkit.endpoints]]
name = "command"
kind = "load-balanced"
command = ["python3", "server.py"]
cpu = "cpu3c-1-2"
workers = [0, 1]
env = { ANSWER = "from a command" }
=== server.py
import http.server, json, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(os.environ["ANSWER"]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
`,
    endpoints: { command: 'load-balanced pyproject.toml:4' },
    answers: { 'command GET /x': 'from a command' },
    sample: true,
  },
];
