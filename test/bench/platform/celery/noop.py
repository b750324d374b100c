"""A Celery task that does nothing, and a program that submits it: counts on standard input, seconds on standard output.

Broker and results are databases of the Redis server that REDIS_PORT names.
"""

import os
import sys
import time

from celery import Celery, group
from redis import Redis

BATCH = 1_000
RESULTS = 1

server = f"redis://127.0.0.1:{os.environ['REDIS_PORT']}"
app = Celery("noop", broker=f"{server}/0", backend=f"{server}/{RESULTS}")
# Acknowledged after they ran, as jobs of the platform are: a worker that is killed loses none.
app.conf.update(task_acks_late=True)


@app.task(name="noop")
def noop(number: int) -> None:
    """Does nothing."""


def submit_and_wait(count: int) -> float:
    """Seconds from the first submission until every result is stored."""
    results = Redis(port=int(os.environ["REDIS_PORT"]), db=RESULTS)
    before = results.dbsize()
    started_at = time.perf_counter()
    for first in range(0, count, BATCH):
        group(noop.s(number) for number in range(first, first + BATCH)).apply_async()
    while results.dbsize() < before + count:
        time.sleep(0.01)
    return time.perf_counter() - started_at


if __name__ == "__main__":
    for line in sys.stdin:
        print(submit_and_wait(int(line)), flush=True)
