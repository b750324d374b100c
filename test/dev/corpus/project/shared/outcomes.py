"""What functions of the corpus return and raise; a sibling that jobs and routes import."""

import datetime
import sys


class Broken(Exception):
    """Has its own module in its name."""


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError("no text")


def trouble(kind):
    """Raise an exception of a kind."""
    if kind == "value":
        raise ValueError("not a good value: ä 😀 \"quoted\"\nsecond line")
    if kind == "own":
        raise Broken("own", 1, None)
    if kind == "key":
        return {}["missing"]
    if kind == "zero":
        return 1 / 0
    if kind == "empty":
        raise AssertionError
    if kind == "chained":
        try:
            raise KeyError("first")
        except KeyError as error:
            raise RuntimeError("second") from error
    if kind == "unspeakable":
        raise Unspeakable
    if kind == "missing package":
        import yaml

        return yaml
    if kind == "missing module":
        import shared.nowhere

        return shared.nowhere
    if kind == "exit":
        sys.exit(3)
    if kind == "interrupt":
        raise KeyboardInterrupt
    if kind == "deep":
        return trouble(kind)
    if kind == "stop":
        raise StopIteration("stopped")
    if kind == "long":
        raise ValueError("long " * 20_000)
    if kind == "group":
        raise BaseExceptionGroup("several", [ValueError("one"), KeyError("two")])
    raise NotImplementedError(kind)


def outcome(kind):
    """Return a value of a kind, most of which JSON cannot hold."""
    circle = []
    circle.append(circle)
    return {
        "set": {1},
        "bytes": b"\x00\xff",
        "nan": float("nan"),
        "infinity": [1.0, float("-inf")],
        "date": datetime.date(2026, 1, 2),
        "object": object,
        "circle": circle,
        "keys": {(1, 2): 3},
        "number keys": {1: "one", None: "none", True: "yes"},
        "tuple": (1, (2,)),
        "surrogate": "\ud800",
        "long number": 10**400,
        "lambda": lambda: 1,
        "control": "\x00\x1f\x7f\u2028",
        "float": [1e300, 0.1, -0.0, 1.0],
    }[kind]
