"""Endpoints that compute on a GPU, by a group that each GPU is in, and by one that this machine's GPU is not in."""

import os

from driver import Driver
from toolkit_sdk import Endpoint, GpuGroup, progress


def _compute(count):
    driver = Driver()
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return {
        "gpu": driver.name(),
        "sum": driver.sum_of_squares(count),
        "visible": visible,
    }


@Endpoint(name="any", gpu=GpuGroup.ANY, workers=(0, 1), idle_timeout=1)
def compute(count: int) -> dict:
    """Compute on the GPU."""
    return _compute(count)


@Endpoint(name="other", gpu=GpuGroup.OTHER_GROUP, workers=(0, 1), idle_timeout=1)
def compute_elsewhere(count: int) -> dict:
    """Compute on another GPU than the declared one."""
    return _compute(count)


@Endpoint(name="memory", gpu=GpuGroup.ANY, workers=(0, 1), idle_timeout=1)
def hold(size: int, marker: str) -> dict:
    """Take memory of the GPU. The first attempt then kills its process."""
    driver = Driver()
    before = driver.used()
    driver.allocate(size)
    if not os.path.exists(marker):
        with open(marker, "w") as file:
            file.write(str(driver.used() - before))
        os.kill(os.getpid(), 9)
    return {"before": before}


@Endpoint(name="cpu", cpu="cpu3c-1-2", workers=(0, 1))
def look() -> str:
    """Look for a GPU."""
    try:
        return Driver().name()
    except RuntimeError as error:
        return str(error)


@Endpoint(name="long", gpu=GpuGroup.ANY, workers=(0, 1), idle_timeout=1)
def long(seconds: int) -> dict:
    """Compute again and again."""
    import time

    driver = Driver()
    end, rounds = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        driver.sum_of_squares(1000)
        rounds += 1
        progress({"rounds": rounds})
    return {"rounds": rounds}


api = Endpoint(name="routes", gpu=GpuGroup.ANY, workers=(0, 1), idle_timeout=1)


@api.get("/squares/{count}")
def squares(count: int) -> dict:
    """Compute in one of the worker's threads."""
    return _compute(count)


@api.get("/async-squares/{count}")
async def async_squares(count: int) -> dict:
    """Compute in the worker's event loop."""
    return _compute(count)
