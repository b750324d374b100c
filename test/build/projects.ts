/** Projects in temporary folders, built with packages from a folder. No index and no network is used. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, type BuildResult, buildProject } from '../../runtime/build/buildProject.ts';
import { findUv } from '../../runtime/build/dependencies/installer.ts';
import { findPython } from '../../runtime/build/dependencies/interpreter.ts';
import type { RequirementSet } from '../../runtime/build/dependencies/requirements.ts';
import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import { decodeManifest } from '../../runtime/contract/manifestSchema.ts';
import type { ProgressEvent } from '../../runtime/contract/progress.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { ANY_PYTHON } from '../../runtime/source/requiresPython.ts';
import { scratch, writeTree } from './scratch.ts';
import { type WheelContents, writeWheel } from './wheels.ts';

/** Downloads shared by all tests; ignored by git. */
const sharedCache = path.join(import.meta.dirname, '../../.cache');

/** What a load-balanced endpoint and a calling endpoint require, as small packages. */
export const WORKER_WHEELS: WheelContents[] = [
  { name: 'fastapi', version: '0.115.0', files: { 'fastapi/__init__.py': 'x = 1\n' } },
  { name: 'uvicorn', version: '0.30.0', files: { 'uvicorn/__init__.py': 'x = 1\n' } },
  { name: 'httpx', version: '0.27.0', files: { 'httpx/__init__.py': 'x = 1\n' } },
];

/** A queue-based endpoint's file. */
export function queueWorker(name: string, settings = '', body = 'return text'): string {
  return `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2"${settings && `, ${settings}`})\ndef ${name}(text: str) -> str:\n    """Answers for ${name}."""\n    ${body}\n`;
}

/** A project and the functions that build it. */
export interface Project {
  root: string;
  home: string;
  links: string;
  env: NodeJS.ProcessEnv;
  write(files: Record<string, string | Buffer>): void;
  build(options?: Partial<BuildOptions>): Promise<BuildResult & { events: ProgressEvent[] }>;
  /** Endpoints of the published manifest, by name. */
  manifest(): Record<string, EndpointSpec>;
}

/** A project with its own home, whose packages come from `wheels`. */
export function makeProject(
  files: Record<string, string | Buffer>,
  wheels: WheelContents[] = WORKER_WHEELS,
): Project {
  const folder = scratch('project');
  const [root, home, links] = ['app', 'home', 'links'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeTree(root, { 'pyproject.toml': '[tool.toolkit]\npython = "3.11"\n', ...files });
  for (const one of wheels) writeWheel(links, one);
  mkdirSync(links, { recursive: true });
  const { UV_DEFAULT_INDEX: _default, UV_INDEX: _index, PIP_INDEX_URL: _pip, ...inherited } = process.env;
  const env = {
    ...inherited,
    PIP_FIND_LINKS: links,
    PIP_NO_INDEX: '1',
    UV_CACHE_DIR: path.join(folder, 'uv-cache'),
  };
  return {
    root,
    home,
    links,
    env,
    write: (changed) => writeTree(root, changed),
    manifest: () => {
      const text = readFileSync(path.join(root, '.toolkit/toolkit_manifest.json'), 'utf8');
      return Object.fromEntries(
        decodeManifest(JSON.parse(text)).map((endpoint) => [endpoint.name, endpoint]),
      );
    },
    build: async (options = {}) => {
      await shareUv(home);
      const events: ProgressEvent[] = [];
      const result = await buildProject({
        reading: await readProject({ root }),
        toolkitHome: home,
        env,
        exclude: [],
        keepBuild: false,
        output: null,
        upgrade: false,
        signal: new AbortController().signal,
        report: (event) => events.push(event),
        ...options,
      });
      return { ...result, events };
    },
  };
}

/** Names in an archive, as GNU tar lists them. */
export function listArchive(file: string): string[] {
  return execFileSync('tar', ['tzf', file], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .trim()
    .split('\n');
}

/** The text of one file in an archive. */
export function readArchived(file: string, name: string): string {
  return execFileSync('tar', ['xzOf', file, name], { encoding: 'utf8' });
}

/** uv is installed once for all tests, by the code that installs it for users. */
export async function shareUv(home: string): Promise<void> {
  const shared = path.join(sharedCache, 'uv');
  const options = { env: process.env, signal: new AbortController().signal, report: () => {} };
  if (!existsSync(shared)) {
    const uvHome = scratch('uv-home');
    mkdirSync(sharedCache, { recursive: true });
    symlinkSync(sharedCache, path.join(uvHome, 'cache'));
    const python = () => findPython({ ...options, target: ANY_PYTHON, toolkitHome: uvHome });
    await findUv({ ...options, toolkitHome: uvHome, env: { ...process.env, PATH: pathWithoutUv() } }, python);
  }
  mkdirSync(path.join(home, 'cache'), { recursive: true });
  const link = path.join(home, 'cache/uv');
  if (!existsSync(link)) symlinkSync(shared, link);
}

/** uv on PATH can have another version; tests use the one that users get. */
function pathWithoutUv(): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.filter((folder) => !existsSync(path.join(folder, 'uv'))).join(path.delimiter);
}

/** A set of requirements without any. */
export const NO_REQUIREMENTS: RequirementSet = {
  requirements: [],
  constraints: [],
  options: [],
  sources: null,
  uvSettings: {},
  hashes: [],
  onlyBinary: [],
  links: [],
  requireHashes: null,
  projectLock: null,
};
