/** A project whose functions misbehave on request. */
const HEAD = `
import os
from toolkit_sdk import Endpoint

CPU = "cpu3c-1-2"
ONE = (0, 1)


class Thing:
    pass


class Textless(Exception):
    def __str__(self):
        raise RuntimeError("none")


@Endpoint(name="returns", cpu=CPU, workers=ONE)
def returns(how: str):
    if how == "nan":
        return {"scores": [1.0, float("nan")]}
    if how == "set":
        return {1, 2}
    if how == "object":
        return Thing()
    if how == "cycle":
        own: list = []
        own.append(own)
        return own
    if how == "huge":
        return "x" * 21_000_000
    return how


@Endpoint(name="raises", cpu=CPU, workers=ONE)
def raises(how: str):
    import sys

    if how == "error":
        raise ValueError("on purpose")
    if how == "textless":
        raise Textless()
    if how == "interrupt":
        raise KeyboardInterrupt()
    if how == "exit":
        sys.exit(3)
    if how == "import":
        import yaml  # toolkit: ignore[undeclared-dependency]
    return how


@Endpoint(name="dies", cpu=CPU, workers=ONE)
def dies(how: str):
    import ctypes
    import signal

    if how == "exit":
        os._exit(7)
    if how == "segfault":
        ctypes.string_at(0)
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    return how


@Endpoint(name="sleeps", cpu=CPU, workers=ONE, execution_timeout=5)
def sleeps(how: str):
    import threading

    if how == "block":
        threading.Event().wait()
    return how


@Endpoint(name="spins", cpu=CPU, workers=ONE, execution_timeout=5)
async def spins(how: str):
    while how == "block":
        pass
    return how


@Endpoint(name="sticks", cpu=CPU, workers=ONE, execution_timeout=5)
def sticks(how: str):
    import re

    if how == "block":
        re.match("(a+)+$", "a" * 60 + "b")  # Never lets go of the interpreter.
    return how


@Endpoint(name="hungry", cpu="cpu3c-1-1", workers=ONE)
def hungry(how: str):
    import time

    kept = []
    while how == "eat":
        kept.append(b"x" * 50_000_000)
        time.sleep(0.05)
    return how


@Endpoint(name="loud", cpu=CPU, workers=ONE)
def loud(how: str):
    import resource
    import sys

    if how == "fine":
        return how
    for _ in range(25):
        print("o" * 999_999)
        print("e" * 999_999, file=sys.stderr)
        sys.stdout.buffer.write(b"b" * 999_999 + b"\\n")
        os.write(2, b"r" * 999_999 + b"\\n")
    return {"printed": 100_000_000, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1000}


@Endpoint(name="forks", cpu=CPU, workers=ONE)
def forks(how: str):
    import sys
    import time

    if how == "return":
        if os.fork() == 0:
            return "child"
        time.sleep(0.5)
        return "parent"
    if how == "close output":
        sys.stdout.close()
        os.close(1)
        os.close(2)
        print("nobody reads it")
        return "closed"
    if how == "close files":
        os.closerange(3, 1000)
    return how


@Endpoint(name="leaves", cpu=CPU, workers=ONE)
def leaves(how: str):
    import subprocess

    if how == "leave":
        return subprocess.Popen(["sleep", "600"]).pid
    if how == "die":
        os._exit(1)
    return how


@Endpoint(name="endless", cpu=CPU, workers=ONE)
def endless(end: bool):
    import itertools

    yield from range(3) if end else itertools.count()


@Endpoint(cpu=CPU, workers=ONE)
class Model:
    made = 0

    def __init__(self):
        Model.made += 1

    async def predict(self, text: str) -> str:
        return f"{text} made {Model.made}"
`;

const ASKS = `
from toolkit_sdk import Endpoint

@Endpoint(name="asks", cpu="cpu3c-1-2", workers=(0, 1))
async def asks(text: str):
    from functions import Model

    return await Model().predict(text) + ", asked"
`;

export const MISBEHAVING: Record<string, string> = {
  'pyproject.toml': '[project]\nname = "odd"\n',
  'functions.py': HEAD,
  'asks.py': ASKS,
};
