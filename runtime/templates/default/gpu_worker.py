"""A queue-based endpoint on a GPU: one function, called through /run and /runsync."""

from toolkit_sdk import Endpoint, GpuGroup


@Endpoint(name="gpu_worker", gpu=GpuGroup.ANY, workers=(0, 1), idle_timeout=300)
def describe_gpu(message: str = "Hello") -> dict:
    """List the GPUs that this worker can use."""
    # Import packages inside the body: the file is also read on machines that do not have them.
    import shutil
    import subprocess

    gpus = []
    if shutil.which("nvidia-smi"):
        query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        listed = subprocess.run(query, capture_output=True, text=True, check=False)
        gpus = [line.strip() for line in listed.stdout.splitlines() if line.strip()]
    return {"message": message, "gpus": gpus, "device": "GPU" if gpus else "CPU"}
