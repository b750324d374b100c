"""`python -m toolkit_sdk._worker`: a worker, started by its platform."""

from .main import main

main()
