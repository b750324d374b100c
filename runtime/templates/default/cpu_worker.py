"""A queue-based endpoint on CPUs: one function, called through /run and /runsync."""

from toolkit_sdk import Endpoint


@Endpoint(name="cpu_worker", cpu="cpu3c-1-2", workers=(0, 3), idle_timeout=300)
async def summarize(numbers: list[float]) -> dict:
    """Return the count, sum and mean of a list of numbers."""
    from statistics import fmean

    return {"count": len(numbers), "sum": sum(numbers), "mean": fmean(numbers) if numbers else None}
