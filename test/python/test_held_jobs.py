"""How many jobs a worker takes at once."""

from __future__ import annotations

from toolkit_sdk._agent.held_jobs import HeldJob, HeldJobs


def test_a_worker_takes_jobs_one_at_a_time_until_those_that_lost_their_process_are_done() -> None:
    held = HeldJobs(most=4)
    assert held.await_room(lambda: True) == 4
    held.run_alone(["a", "b"])
    assert held.await_room(lambda: True) == 1
    held.add([HeldJob(id="a", attempt=None, timeout=1.0, input=b"{}")])
    assert held.drop(["a"])
    assert held.await_room(lambda: True) == 1
    held.add([HeldJob(id="b", attempt=None, timeout=1.0, input=b"{}")])
    assert held.drop(["b"])
    assert held.await_room(lambda: True) == 4
    assert held.await_room(lambda: None) == 0
