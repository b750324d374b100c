"""What the process with the user's code has to know of the protocol. The toolkit's runtime/contract/workerProtocol.ts
holds the same names; test/fixtures/protocol proves both."""

from __future__ import annotations

GATEWAY_SECRET_HEADER = "x-toolkit-gateway-secret"
REQUEST_ID_HEADER = "x-request-id"
# Of an answer: a function goes on though it is over its time, and this worker is to be replaced.
BLOCKED_HEADER = "x-toolkit-blocked"
# Bytes of one result.
RESULT_BYTES = 20_000_000
# Names the worker in the environment of its processes.
WORKER_VARIABLE = "RUNPOD_POD_ID"
# Number of the descriptor of the link to the agent.
LINK_VARIABLE = "TOOLKIT_RUNNER_LINK"
