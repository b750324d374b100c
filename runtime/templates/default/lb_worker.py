"""A load-balanced endpoint: several HTTP routes behind one URL."""

from toolkit_sdk import Endpoint

api = Endpoint(name="lb_worker", cpu="cpu3c-1-2", workers=(0, 3), idle_timeout=300)


@api.get("/health")
def health() -> dict:
    """Report that the service is up."""
    return {"status": "healthy", "service": "lb_worker"}


@api.post("/process")
def process(data: dict) -> dict:
    """Count and sort the keys of an object."""
    return {"status": "success", "keys": sorted(data), "count": len(data)}
