/** What discovery does not read and builds do not ship, in .gitignore's syntax. */

/** Never read and never shipped, regardless of ignore files. */
export const IGNORED_FOLDERS = [
  '.git',
  '.hg',
  '.svn',
  '.toolkit',
  'node_modules',
  '__pycache__',
  'site-packages',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.ipynb_checkpoints',
  '.eggs',
  '.idea',
  '.vscode',
] as const;

/** A folder with this file is a virtual environment, regardless of its name. */
export const VIRTUALENV_MARKER = 'pyvenv.cfg';

/** Not shipped. .toolkitignore can re-include secrets and keys by name, which causes a warning. */
export const NEVER_SHIP = [
  '.env*',
  '*.env',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  'id_*',
  // The pattern above is meant for keys. A module may be named id_card.py.
  '!id_*.py',
  'credentials*.json',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
  '.ssh/',
  '.aws/',
  '*.pyc',
  '*.pyo',
  '.DS_Store',
  '/pylock.toml',
  '/_toolkit/',
  '/.gitignore',
  '/.toolkitignore',
  '*.egg-info/',
] as const;
