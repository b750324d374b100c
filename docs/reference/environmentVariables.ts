/** Every environment variable that the toolkit reads or sets; a test finds each one that the sources name. */

interface VariableGroup {
  title: string;
  variables: Record<string, string>;
}

const GROUPS: readonly VariableGroup[] = [
  {
    title: 'Yours to set',
    variables: {
      PLATFORM_API_KEY: "the platform's key; the embedded platform keeps its own",
      PLATFORM_API_URL:
        "another platform; when only a project's `.env` names it, it gets only a key from that file",
      TOOLKIT_APP: 'app instead of the one in pyproject.toml (`--app`)',
      TOOLKIT_ENV: 'environment instead of `production` (`--env`)',
      TOOLKIT_HOME: 'folder of state and caches instead of `~/.toolkit`; not read from `.env`',
      TOOLKIT_PYTHON: 'interpreter of builds and workers',
      NO_COLOR: 'no colours when it is set',
      FORCE_COLOR: 'colours in pipes too when it is set to something other than `0`',
      CI: 'no questions, and progress as plain lines',
    },
  },
  {
    title: 'Read as other tools set them',
    variables: {
      TERM: '`dumb` means no colours and no moving lines',
      TERM_PROGRAM: '`vscode` in the terminal of VS Code, where the first line of a finding is not wrapped',
      GITHUB_WORKSPACE: 'root of the paths that `check --format github` and `sarif` print',
      VIRTUAL_ENV: 'the virtual environment that is active',
      PYENV_VERSION: 'the Python that pyenv chooses',
      PATH: 'where programs are found',
      HOME: "folder of your settings' files",
      APPDATA: "folder of your settings' files on Windows",
      PROGRAMDATA: "folder of a machine's settings on Windows",
      XDG_CONFIG_HOME: "folder of your settings' files",
      XDG_CONFIG_DIRS: "folders of a machine's settings",
      NETRC: 'file with credentials of package indexes',
      HTTP_PROXY: 'proxy of downloads over http',
      HTTPS_PROXY: 'proxy of downloads over https',
      ALL_PROXY: 'proxy of all downloads',
      NO_PROXY: 'hosts that are reached without a proxy',
      SSL_CERT_FILE: 'authorities that downloads trust',
      SSL_CLIENT_CERT: 'client certificate of downloads',
      PIP_CONFIG_FILE: "pip's settings",
      UV_CONFIG_FILE: "uv's settings",
      UV_NO_CONFIG: 'no settings files of uv',
      UV_DEFAULT_INDEX: 'package index',
      UV_INDEX: 'further package indexes',
      UV_FIND_LINKS: 'folders and pages with wheels',
      UV_INSECURE_HOST: 'hosts whose certificates are not checked',
      UV_INDEX_URL: 'older name of UV_DEFAULT_INDEX',
      UV_EXTRA_INDEX_URL: 'older name of UV_INDEX',
    },
  },
  {
    title: 'Set for workers',
    variables: {
      PLATFORM_API_KEY: 'a key that may only call endpoints of the same app and environment',
      PLATFORM_API_URL: 'the address of the platform',
      TOOLKIT_APP: 'the app that was deployed to',
      TOOLKIT_ENV: 'the environment that was deployed to',
      RUNPOD_POD_ID: "the worker's id",
      RUNPOD_POD_HOSTNAME: "the worker's host name in failures",
      RUNPOD_ENDPOINT_ID: "the endpoint's id (commands only, as all below with this prefix)",
      RUNPOD_AI_API_KEY: "the worker's token, which it sends in the header `Authorization`",
      RUNPOD_WEBHOOK_GET_JOB: 'URL to take a job from',
      RUNPOD_WEBHOOK_POST_OUTPUT: 'URL to post a result to',
      RUNPOD_WEBHOOK_POST_STREAM: 'URL to post what a job yields to',
      RUNPOD_WEBHOOK_PING: 'URL to report to that the worker lives',
      RUNPOD_PING_INTERVAL: 'milliseconds between two pings',
      PORT: 'where the server of a load-balanced `command` has to listen',
      CUDA_VISIBLE_DEVICES: 'the GPUs of the worker',
      CUDA_DEVICE_ORDER: 'the order in which GPUs are numbered',
      PYTHONPATH: 'folders of code and packages, for the Pythons that a function starts',
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

/** Every name that may be in the sources. */
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

A flag wins over the environment, which wins over the project's \`.env\`, which wins over the default. Options of pip are read
from \`PIP_…\` too, such as \`PIP_INDEX_URL\`.
`;
