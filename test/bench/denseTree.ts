/**
 * A project in which every file declares: two endpoints and six imports each, with requirements and installed
 * packages.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILES = 600;
const PACKAGES = ['numpy', 'httpx', 'httpcore', 'pandas', 'torch', 'pillow', 'pyyaml', 'requests', 'scipy'];
const SITE_PACKAGES = '.venv/lib/python3.11/site-packages';

/** The file that the benchmark edits, and one that it sends requests about. */
export const EDITED = 'part0/work0.py';
export const ASKED = 'part1/work1.py';

/** The text of one of the files. */
export function denseText(at: number): string {
  const next = (at + 7) % FILES;
  return `from toolkit_sdk import Endpoint
from part${next % 20}.work${next} import LIMIT as OTHER_LIMIT
from shared.values import IMAGE_SIZE

LIMIT = ${at}


@Endpoint(name="first-${at}", cpu="cpu3c-1-2", workers=(0, 1), dependencies=["numpy", "httpx"])
def first_${at}(count: int, size: int = IMAGE_SIZE):
    """Counts."""
    import numpy
    import httpcore

    return numpy.arange(count).tolist() + [OTHER_LIMIT, str(httpcore), size]


@Endpoint(name="second-${at}", cpu="cpu3c-1-2", workers=(0, 1))
def second_${at}(text: str):
    """Reads."""
    import yaml

    return yaml.safe_load(text)
`;
}

/** Writes the project, and returns its Python files. */
export function growDenseTree(root: string): string[] {
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  write('pyproject.toml', '[project]\nname = "dense"\n[tool.toolkit]\nquota = 5000\n');
  write('requirements.txt', 'pyyaml>=6\nrequests\n');
  write('.venv/pyvenv.cfg', 'home = /usr/bin\nversion = 3.11.7\n');
  for (const name of PACKAGES) {
    const info = `${SITE_PACKAGES}/${name}-1.0.dist-info`;
    const module = { pillow: 'PIL', pyyaml: 'yaml' }[name] ?? name;
    write(
      `${info}/METADATA`,
      `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n${name === 'httpx' ? 'Requires-Dist: httpcore\n' : ''}`,
    );
    write(`${info}/RECORD`, `${module}/__init__.py,,\n`);
    write(`${SITE_PACKAGES}/${module}/__init__.py`, '');
  }
  write('shared/values.py', 'IMAGE_SIZE = 512\n');
  const files = Array.from({ length: FILES }, (_, at) => `part${at % 20}/work${at}.py`);
  for (const [at, file] of files.entries()) write(file, denseText(at));
  return [...files, 'shared/values.py'];
}
