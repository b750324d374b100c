"""The limits on open files of the agent and of the processes that it starts."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from agent_link import PACKAGE


def run(limits: tuple[int, int], source: str) -> str:
    """Runs code in a process of its own that starts with these limits, and returns what it prints."""
    start = f"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, {limits!r})\n"
    code = start + textwrap.dedent(source)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    return done.stdout.strip()


@pytest.mark.parametrize(("soft", "hard"), [(256, 2048), (2048, 2048)])
def test_the_agent_opens_as_many_files_as_its_hard_limit_allows(soft: int, hard: int) -> None:
    source = """
    from toolkit_sdk._agent.open_files import raise_limit
    print(raise_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))
    """
    assert run((soft, hard), source) == f"{soft} ({hard}, {hard})"


def test_a_limit_above_what_the_agent_needs_is_kept() -> None:
    source = """
    from toolkit_sdk._agent import open_files
    open_files._MOST = 1024
    print(open_files.raise_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))
    """
    assert run((2048, 2048), source) == "2048 (2048, 2048)"


def test_a_process_that_the_agent_starts_gets_the_former_limit() -> None:
    source = """
    import os
    from toolkit_sdk._agent.open_files import lower_limit, raise_limit
    former = raise_limit()
    lower_limit(os.getpid(), former)
    print(resource.getrlimit(resource.RLIMIT_NOFILE))
    """
    assert run((256, 2048), source) == "(256, 2048)"
