"""Routes in a folder and a file whose names have to be encoded."""

from toolkit_sdk import Endpoint

more = Endpoint(name="more", cpu="cpu3c-1-2", workers=(0, 1))


@more.get("/")
def root():
    return "root"


@more.get("/sum/{left}/{right}")
def total(left: float, right: float):
    from shared.outcomes import outcome

    return [left + right, outcome("float")]


@more.post("/{rest:path}")
async def catch(rest: str, value: int = 0):
    return {"rest": rest, "value": value}
