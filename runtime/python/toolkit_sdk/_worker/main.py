"""The program `python -m toolkit_sdk._worker`: asks for the assignment, prepares the node, supervises until the end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

from .heartbeat import Heartbeat
from .log_lines import LogRelay
from .platform_connection import Contact, PlatformConnection
from .platform_reports import Reports, WorkerGoneError, fetch_assignment
from .preparation import PreparationError, prepare
from .protocol import Assignment, WorkerFacts, worker_facts
from .supervisor import Supervisor


def main() -> None:
    """Runs a worker to its end."""
    facts = worker_facts()
    contact = Contact()
    connection = PlatformConnection(facts.platform, facts.token, contact)
    held: list[Supervisor] = []
    logs = LogRelay(facts.worker_id, lambda: held[0].only_job() if held else None)
    threading.excepthook = lambda failed: _end_broken(failed, logs, held)
    try:
        assignment = fetch_assignment(facts, connection)
    except WorkerGoneError as error:
        logs.tell("error", str(error))
        raise SystemExit(1) from error
    reports = Reports(facts, PlatformConnection(facts.platform, facts.token, contact))
    supervisor = _supervisor_of(facts, assignment, logs, reports, contact)
    held.append(supervisor)

    def orphaned() -> None:
        logs.tell("error", f"The platform at {facts.platform} does not answer any more; the worker ends.")
        supervisor.kill_child()
        os._exit(1)

    Heartbeat(facts, contact, jobs=supervisor.jobs_held, on_orphaned=orphaned).start()
    reports.starting()
    signal.signal(signal.SIGTERM, _end_now)
    try:
        supervisor.plan(prepare(facts, assignment, connection))
    except PreparationError as error:
        _listen_for_stop(supervisor)
        supervisor.become_unhealthy(str(error))
    else:
        _listen_for_stop(supervisor)
        supervisor.start()
    sys.exit(supervisor.serve())


def _supervisor_of(
    facts: WorkerFacts, assignment: Assignment, logs: LogRelay, reports: Reports, contact: Contact
) -> Supervisor:
    if assignment.command is not None:
        from .command_supervisor import CommandSupervisor

        return CommandSupervisor(facts, assignment, logs, reports)
    if assignment.kind == "queue":
        from .queue_supervisor import QueueSupervisor

        return QueueSupervisor(facts, assignment, logs, reports, contact)
    from .load_balanced_supervisor import LoadBalancedSupervisor

    return LoadBalancedSupervisor(facts, assignment, logs, reports)


def _end_broken(failed: threading.ExceptHookArgs, logs: LogRelay, held: list[Supervisor]) -> None:
    """A fault of the worker itself: without the thread it would hold jobs and do nothing, so another replaces it."""
    import traceback

    thread = failed.thread.name if failed.thread is not None else "unknown"
    told = "".join(traceback.format_exception(failed.exc_type, failed.exc_value, failed.exc_traceback))
    logs.tell("error", f'The worker\'s thread "{thread}" failed, and the worker ends:\n{told}')
    for supervisor in held:
        supervisor.kill_child()
    os._exit(70)


def _end_now(signum: int, frame: FrameType | None) -> None:
    """A stop while the node is prepared: nothing is in hand, and clean-ups run on the way out."""
    del signum, frame
    sys.exit(0)


def _listen_for_stop(supervisor: Supervisor) -> None:
    asked = threading.Event()

    def stop(signum: int, frame: FrameType | None) -> None:
        del signum, frame
        asked.set()

    def pass_on() -> None:
        # A handler may not take locks that the main thread may hold.
        asked.wait()
        supervisor.events.put(supervisor.stop)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    threading.Thread(target=pass_on, daemon=True, name="stop").start()
