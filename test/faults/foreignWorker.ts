/**
 * A project without the toolkit's code: a queue worker of another library, and the standard library's web
 * server.
 */
export const FOREIGN: Record<string, string> = {
  'pyproject.toml': `
[project]
name = "foreign"

[[tool.toolkit.endpoints]]
name = "foreign"
command = ["python", "worker.py"]
cpu = "cpu3c-2-4"
workers = [0, 1]
dependencies = ["runpod==1.12.0"]

[[tool.toolkit.endpoints]]
name = "site"
kind = "load-balanced"
command = ["sh", "-c", "exec python -m http.server --bind 127.0.0.1 $PORT"]
cpu = "cpu3c-1-2"
workers = [0, 1]
`,
  'worker.py': `
import time

import runpod


def handler(job):
    given = job["input"]
    time.sleep(given.get("seconds", 0))
    return {"n": given.get("n", 0) + 1}


runpod.serverless.start({"handler": handler})
`,
  ping: 'a file that responds to GET /ping\n',
  'hello.txt': 'hello from a file\n',
};
