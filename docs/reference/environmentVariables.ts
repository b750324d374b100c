/** Every environment variable that the toolkit reads or sets. A test finds those in the sources that are missing here. */

interface VariableGroup {
  title: string;
  variables: Record<string, string>;
}

const GROUPS: readonly VariableGroup[] = [
  {
    title: 'Variables that you can set',
    variables: {
      PLATFORM_API_KEY: "the platform's key; the embedded platform manages its own",
      PLATFORM_API_URL:
        "address of another platform; if only a project's `.env` sets it, only a key from that file is sent to it",
      TOOLKIT_APP: 'app to use instead of the one in pyproject.toml (`--app`)',
      TOOLKIT_ENV: 'environment to use instead of `production` (`--env`)',
      TOOLKIT_HOME: 'folder for state and caches instead of `~/.toolkit`; not read from `.env`',
      TOOLKIT_PYTHON: 'Python interpreter for builds and workers',
      NO_COLOR: 'if set, disables colours',
      FORCE_COLOR: 'if set to anything but `0`, enables colours in pipes too',
      CI: 'if set, disables prompts and prints progress as plain lines',
    },
  },
  {
    title: 'Variables of other tools',
    variables: {
      TERM: '`dumb` disables colours and live progress',
      TERM_PROGRAM: '`vscode` in the terminal of VS Code, where the first line of a finding is not wrapped',
      GITHUB_WORKSPACE: 'root for the paths that `check --format github` and `sarif` print',
      VIRTUAL_ENV: 'the active virtual environment',
      PYENV_VERSION: 'the Python version that pyenv selects',
      PATH: 'where programs are found',
      HOME: 'folder of your settings files',
      APPDATA: 'folder of your settings files on Windows',
      PROGRAMDATA: "folder of the machine's settings files on Windows",
      XDG_CONFIG_HOME: 'folder of your settings files',
      XDG_CONFIG_DIRS: "folders of the machine's settings files",
      NETRC: 'file with credentials for package indexes',
      HTTP_PROXY: 'proxy for downloads over http',
      HTTPS_PROXY: 'proxy for downloads over https',
      ALL_PROXY: 'proxy for all downloads',
      NO_PROXY: 'hosts to reach without a proxy',
      SSL_CERT_FILE: 'certificate authorities that downloads trust',
      SSL_CLIENT_CERT: 'client certificate for downloads',
      PIP_CONFIG_FILE: "pip's settings file",
      UV_CONFIG_FILE: "uv's settings file",
      UV_NO_CONFIG: "if set, ignores uv's settings files",
      UV_DEFAULT_INDEX: 'package index',
      UV_INDEX: 'additional package indexes',
      UV_FIND_LINKS: 'folders and pages with wheels',
      UV_KEYRING_PROVIDER:
        'whether the keyring is asked for passwords of indexes: `subprocess` or `disabled`',
      UV_INSECURE_HOST: 'hosts whose certificates are not checked',
      UV_INDEX_URL: 'older name of UV_DEFAULT_INDEX',
      UV_EXTRA_INDEX_URL: 'older name of UV_INDEX',
    },
  },
  {
    title: 'Variables set for workers',
    variables: {
      PLATFORM_API_KEY: 'a key that can only call endpoints of the same app and environment',
      PLATFORM_API_URL: 'the address of the platform',
      TOOLKIT_APP: 'the app of the endpoint',
      TOOLKIT_ENV: 'the environment of the endpoint',
      RUNPOD_POD_ID: "the worker's id",
      RUNPOD_POD_HOSTNAME: "the worker's host name in error messages",
      RUNPOD_ENDPOINT_ID: "the endpoint's id (only for commands, like all below with this prefix)",
      RUNPOD_AI_API_KEY: "the worker's token, for the header `Authorization`",
      RUNPOD_WEBHOOK_GET_JOB: 'URL to take a job from',
      RUNPOD_WEBHOOK_POST_OUTPUT: 'URL to post a result to',
      RUNPOD_WEBHOOK_POST_STREAM: 'URL to post the values that a job yields to',
      RUNPOD_WEBHOOK_PING: 'URL for the pings of the worker',
      RUNPOD_PING_INTERVAL: 'milliseconds between two pings',
      PORT: 'port on which the server of a load-balanced `command` must listen',
      CUDA_VISIBLE_DEVICES: 'the GPUs of the worker',
      CUDA_DEVICE_ORDER: 'the order in which GPUs are numbered',
      PYTHONPATH: 'folders of code and packages, for Python processes that a function starts',
    },
  },
];

/** Read only by the toolkit's own processes. */
const INTERNAL = [
  'ELECTRON_RUN_AS_NODE',
  'TOOLKIT_VERSION',
  'TOOLKIT_READER_ID',
  'TOOLKIT_CODE_ROOT',
  'TOOLKIT_RUNNER_LINK',
];

/** Every variable that the sources can contain. */
export const KNOWN_VARIABLES: ReadonlySet<string> = new Set([
  ...GROUPS.flatMap(({ variables }) => Object.keys(variables)),
  ...INTERNAL,
]);

/** docs/environment-variables.md. */
export function environmentVariablesPage(): string {
  const sections = GROUPS.map(({ title, variables }) => {
    const rows = Object.entries(variables).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
    return `## ${title}\n\n| Variable | Meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

const INTRODUCTION = `# Environment variables

Flags override environment variables, environment variables override the project's \`.env\`, and \`.env\` overrides the
defaults. pip's options are also read from \`PIP_…\` variables, such as \`PIP_INDEX_URL\`.
`;
