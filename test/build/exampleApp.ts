/** A project with an endpoint of each kind, for tests of builds. */
import { makeProject, WORKER_WHEELS } from './projects.ts';

/** A load-balanced endpoint that calls the queue-based one. */
const API = `from toolkit_sdk import Endpoint

api = Endpoint(name="text-api", cpu="cpu3c-1-2", dependencies=["demo"])


@api.post("/analyze")
def analyze(text: str) -> dict:
    """Counts."""
    return {"text": text}


@api.post("/report")
async def report(text: str) -> dict:
    from gpu_worker import sentiment

    return await sentiment(text)
`;

/** The queue-based endpoint. */
export const GPU = `from toolkit_sdk import Endpoint, GpuGroup

SCALE = 2


@Endpoint(name="sentiment", gpu=GpuGroup.ADA_24, workers=(1, 2))
async def sentiment(text: str, *, top: int = 1) -> dict:
    """Says "how" it feels."""
    return {"text": text}
`;

/** A package that the first one requires. */
export const DEMO = { name: 'demo', files: { 'demo/__init__.py': 'x = 1\n' } };

/** The project with both. */
export function app(): ReturnType<typeof makeProject> {
  return makeProject({ 'text_api.py': API, 'gpu_worker.py': GPU, 'data/words.txt': 'good\n' }, [
    ...WORKER_WHEELS,
    DEMO,
  ]);
}
