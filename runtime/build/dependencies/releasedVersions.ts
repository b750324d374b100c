/**
 * The versions of the worker's own requirements, and of the packages that they require, that this release was tested with.
 * pip finds the files of known versions in a second, so a first build of a project that requires nothing else does not
 * install uv.
 */
import { WORKER_REQUIREMENTS } from '../../contract/names.ts';
import type { RequirementSet } from './requirements.ts';

/** For Python 3.11 and newer. On an older Python they do not fit, and the resolver chooses. */
export const RELEASED_VERSIONS: Record<string, string> = {
  'annotated-doc': '0.0.7',
  'annotated-types': '0.8.0',
  anyio: '4.16.0',
  certifi: '2026.10.19.post1',
  click: '8.5.1',
  fastapi: '0.165.0',
  h11: '0.16.0',
  httpcore: '1.0.9',
  httpx: '0.28.1',
  idna: '3.20',
  'opentelemetry-api': '1.45.2',
  pydantic: '2.14.4',
  'pydantic-core': '2.50.5',
  starlette: '1.10.0',
  'typing-extensions': '4.16.0',
  'typing-inspection': '0.4.5',
  uvicorn: '0.54.0',
};

const WORKERS = new Set<string>(Object.values(WORKER_REQUIREMENTS).flat());

/** Whether a set requires nothing but the worker's own requirements. */
export function isWorkersOnly({ requirements, sources }: RequirementSet): boolean {
  return sources === null && requirements.every(({ text }) => WORKERS.has(text));
}
