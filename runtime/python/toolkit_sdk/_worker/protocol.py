"""The part of the worker protocol that the process with the user's code needs. runtime/contract/workerProtocol.ts
defines the same names; tests check that both agree."""

from __future__ import annotations

GATEWAY_SECRET_HEADER = "x-toolkit-gateway-secret"
REQUEST_ID_HEADER = "x-request-id"
# The gateway's number of a request, and in a health request the number of the one whose end is awaited.
REQUEST_NUMBER_HEADER = "x-toolkit-request-number"
AWAITED_REQUEST_HEADER = "x-toolkit-awaited-request"
# In a response: the function has exceeded its time but keeps running, so the worker must be replaced.
BLOCKED_HEADER = "x-toolkit-blocked"
# Most bytes of one result.
RESULT_BYTES = 20_000_000
# Most bytes of the `error` of a failed job.
ERROR_BYTES = 1_000_000
# Holds the worker's id in the environment of its processes.
WORKER_VARIABLE = "RUNPOD_POD_ID"
# Holds the number of the descriptor of the link to the agent.
LINK_VARIABLE = "TOOLKIT_RUNNER_LINK"
