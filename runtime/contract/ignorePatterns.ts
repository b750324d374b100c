/** The one list of what discovery does not read and builds do not ship, in .gitignore's syntax. */

/** Never read and never shipped, whatever the ignore files say. */
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

/** A folder with this file is a virtual environment, whatever its name. */
export const VIRTUALENV_MARKER = 'pyvenv.cfg';

/** Not shipped; secrets and keys among them unless .toolkitignore re-includes them by name, with a warning. */
export const NEVER_SHIP = [
  '.env*',
  '*.env',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  'id_*',
  // The pattern above means keys: a module may be called id_card.py.
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
