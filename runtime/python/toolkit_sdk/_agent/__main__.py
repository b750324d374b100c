"""`python -m toolkit_sdk._agent START`: the node agent, started by its platform; START is JSON."""

from .main import main

main()
