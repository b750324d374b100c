/** Names that several rooms use: endpoint names, paths inside a project and paths inside an artifact. */
import { PROJECT_LIMITS } from './limits.ts';

/** The rule for names, quoted in every message about a name. */
export const NAME_RULE = `1–${PROJECT_LIMITS.nameLength} letters, digits, "-" or "_", beginning with a letter or digit`;

const NAME = new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,${PROJECT_LIMITS.nameLength - 1}}$`);

/** Whether this is a valid name of an endpoint, app or environment. */
export function isValidName(name: string): boolean {
  return NAME.test(name);
}

/** Prefix of the temporary endpoints of `toolkit dev`; reserved. */
export const LIVE_PREFIX = 'live-';

/**
 * Turns a text into a valid name: accents are dropped, other invalid characters become "-". Null if nothing
 * valid remains.
 */
export function fittingName(text: string): string | null {
  let rest = text;
  while (rest.toLowerCase().startsWith(LIVE_PREFIX)) rest = rest.slice(LIVE_PREFIX.length);
  const fitting = rest
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, PROJECT_LIMITS.nameLength)
    .replace(/-+$/, '');
  return isValidName(fitting) ? fitting : null;
}

/** The health path of load-balanced workers; reserved. */
export const RESERVED_ROUTE = '/ping';

/** Folder for outputs in a project's root. */
export const OUTPUT_DIR = '.toolkit';

/** Files of a project and of its outputs. */
export const PROJECT_FILES = {
  artifact: `${OUTPUT_DIR}/artifact.tar.gz`,
  manifest: `${OUTPUT_DIR}/toolkit_manifest.json`,
  buildDir: `${OUTPUT_DIR}/.build`,
  resources: `${OUTPUT_DIR}/resources.pkl`,
  lock: 'pylock.toml',
  pyproject: 'pyproject.toml',
  requirements: 'requirements.txt',
  pythonVersion: '.python-version',
  dotenv: '.env',
  ignore: '.toolkitignore',
} as const;

/** A folder that contains one of these is a project's root. */
export const ROOT_MARKERS = ['pyproject.toml', 'requirements.txt', '.toolkit', '.git'] as const;

/** Paths inside an artifact. The project's own files have the same paths as in the project. */
export const ARTIFACT_PATHS = {
  manifest: 'toolkit_manifest.json',
  requirements: 'requirements.txt',
  /** Everything that the build generates. A folder with this name in the project is not deployed; a file is an error. */
  generated: '_toolkit',
  handlers: '_toolkit/handlers',
  /** In a code part that is laid over another: a JSON list of deleted files. */
  removed: '_toolkit/removed.json',
  stubs: '_toolkit/stubs',
  /** One folder per dependency set, `all` when one set serves every endpoint. */
  dependencies: '_toolkit/dependencies',
  sdk: 'toolkit_sdk',
} as const;

/** The name of the dependency set that serves every endpoint. */
export const COMMON_SET = 'all';

/** `imageName` of an endpoint that names no image of its own. */
export const BASE_IMAGES = { gpu: 'toolkit/base-gpu', cpu: 'toolkit/base-cpu' } as const;

/**
 * Packages that the base images provide. They are left out of artifacts, with the packages that only they
 * need.
 */
export const BASE_IMAGE_PACKAGES = ['torch', 'torchvision', 'torchaudio', 'numpy', 'triton'] as const;

/** Whether the base images provide a distribution, by its normalized name. */
export function isInBaseImage(name: string): boolean {
  return BASE_IMAGE_PACKAGES.some((one) => one === name);
}

/** The worker's own requirements. They are resolved with the user's, so that a conflict names both. */
export const WORKER_REQUIREMENTS = {
  loadBalanced: ['fastapi>=0.115,<1', 'uvicorn>=0.30,<1'],
  peerCalls: ['httpx>=0.27,<1'],
} as const;

/** The Python package that users import: the names of its module and its distribution. */
export const SDK_MODULE = 'toolkit_sdk';
export const SDK_DISTRIBUTION = 'toolkit-sdk';

/** Prefix of the temporary folder in which dev packs code. */
export const PARTS_PREFIX = 'toolkit-dev-';
