/** What packages that workers have in any case bring with them, for when no environment and no lock tells. */

/** Normalized names, as the projects' own metadata has them for Python 3.10 to 3.14. */
export const KNOWN_REQUIREMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['torch', ['filelock', 'fsspec', 'jinja2', 'networkx', 'setuptools', 'sympy', 'typing-extensions']],
  ['torchvision', ['numpy', 'pillow', 'torch']],
  ['torchaudio', ['torch']],
  ['jinja2', ['markupsafe']],
  ['sympy', ['mpmath']],
  ['fastapi', ['annotated-doc', 'pydantic', 'starlette', 'typing-extensions', 'typing-inspection']],
  ['starlette', ['anyio', 'typing-extensions']],
  ['anyio', ['exceptiongroup', 'idna', 'sniffio', 'typing-extensions']],
  ['pydantic', ['annotated-types', 'pydantic-core', 'typing-extensions', 'typing-inspection']],
  ['uvicorn', ['click', 'h11', 'typing-extensions']],
  ['httpx', ['anyio', 'certifi', 'httpcore', 'idna']],
  ['httpcore', ['certifi', 'h11']],
]);
