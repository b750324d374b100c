"""`python -m toolkit_sdk._agent START`: the node agent. START is JSON, see `protocol.AgentStart`."""

from .main import main

main()
