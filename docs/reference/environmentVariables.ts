/** Every environment variable that the toolkit reads or sets. A test finds those in the sources that are missing here. */
import { INHERITED } from '../../runtime/platform/drivers/inheritedEnvironment.ts';

interface VariableGroup {
  title: string;
  introduction?: string;
  variables: Record<string, string>;
}

/** Other variables of pip are not read. */
const PIP_VARIABLES = [
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'PIP_NO_INDEX',
  'PIP_FIND_LINKS',
  'PIP_TRUSTED_HOST',
  'PIP_CERT',
  'PIP_CLIENT_CERT',
  'PIP_PROXY',
  'PIP_KEYRING_PROVIDER',
];

const GROUPS: readonly VariableGroup[] = [
  {
    title: 'Variables that you can set',
    variables: {
      PLATFORM_API_KEY: "the platform's key; the embedded platform manages its own",
      PLATFORM_API_URL:
        "address of the platform; without it, the embedded platform is used. If only a project's `.env` sets it, only a key from that file is sent to it",
      TOOLKIT_APP:
        '[app](../README.md#apps-and-environments) to use instead of the one in pyproject.toml (`--app`)',
      TOOLKIT_ENV: 'environment to use instead of `production` (`--env`)',
      TOOLKIT_HOME: 'folder for state and caches instead of `~/.toolkit`',
      TOOLKIT_PYTHON: 'Python interpreter for builds and workers',
      NO_COLOR: 'if set, disables colors',
      FORCE_COLOR: 'if set to anything but `0`, enables colors in pipes too',
      CI: 'if set, disables prompts and prints progress as plain lines',
    },
  },
  {
    title: 'Variables of other tools',
    introduction: 'Builds read no other variables of pip.',
    variables: {
      TERM: '`dumb` disables colors and live progress',
      TERM_PROGRAM: '`vscode` in the terminal of VS Code, where the first line of a finding is not wrapped',
      GITHUB_WORKSPACE: 'root for the paths that `check --format github` and `sarif` print',
      VIRTUAL_ENV: 'the active virtual environment',
      PYENV_VERSION: 'the Python version that pyenv selects',
      PATH: 'where programs are found',
      HOME: 'where `.toolkit`, `.netrc` and your configuration files of pip and uv are looked up',
      APPDATA: 'where your configuration files of pip and uv are looked up on Windows',
      PROGRAMDATA: "where the machine's configuration files of pip and uv are looked up on Windows",
      XDG_CONFIG_HOME: 'where your configuration files of pip and uv are looked up',
      XDG_CONFIG_DIRS: "where the machine's configuration files of pip and uv are looked up",
      NETRC: 'file with credentials for package indexes',
      HTTP_PROXY: 'proxy for downloads over http; also set for workers',
      HTTPS_PROXY: 'proxy for downloads over https; also set for workers',
      ALL_PROXY: 'proxy for all downloads; also set for workers',
      NO_PROXY: 'hosts to reach without a proxy; also set for workers',
      SSL_CERT_FILE: 'certificate authorities that downloads trust; also set for workers',
      SSL_CLIENT_CERT: 'client certificate for downloads',
      PIP_CONFIG_FILE: "pip's settings file",
      ...Object.fromEntries(PIP_VARIABLES.map((name) => [name, 'as in pip'])),
      UV_CONFIG_FILE: "uv's settings file",
      UV_NO_CONFIG: "if set, uv's settings files are ignored",
      UV_DEFAULT_INDEX: 'package index',
      UV_INDEX: 'additional package indexes',
      UV_FIND_LINKS: 'folders and pages with wheels',
      UV_KEYRING_PROVIDER: 'whether index passwords are read from the keyring: `subprocess` or `disabled`',
      UV_INSECURE_HOST: 'hosts whose certificates are not checked',
      UV_INDEX_URL: 'older name of UV_DEFAULT_INDEX',
      UV_EXTRA_INDEX_URL: 'older name of UV_INDEX',
    },
  },
  {
    title: 'Variables set for workers',
    introduction: `The \`RUNPOD_\` names are those of RunPod's worker protocol, so that existing workers run unchanged. Nothing is sent to RunPod:
the URLs are those of your platform. \`RUNPOD_AI_API_KEY\`, the \`RUNPOD_WEBHOOK_\` variables and \`PORT\` are set only for
endpoints with a \`command\`. In the URLs, replace \`$RUNPOD_POD_ID\` with the worker's id. Replace \`$ID\` with the worker's id in
\`RUNPOD_WEBHOOK_GET_JOB\`, and with the job's id in the other URLs.

Workers also have the variables in the \`env\` of their endpoint. From the environment of the platform, they inherit
${INHERITED.map((name) => `\`${name}\``).join(', ')},
and the proxies above. The installer of packages also gets all variables that begin with \`PIP_\` or \`UV_\`; your code does not.`,
    variables: {
      PLATFORM_API_KEY: 'a key that can only call endpoints of the same app and environment',
      PLATFORM_API_URL: 'the address of the platform',
      TOOLKIT_APP: 'the app of the endpoint',
      TOOLKIT_ENV: 'the environment of the endpoint',
      RUNPOD_POD_ID: "the worker's id",
      RUNPOD_POD_HOSTNAME: 'host name that error messages show',
      RUNPOD_ENDPOINT_ID: "the endpoint's id",
      RUNPOD_AI_API_KEY: "the worker's token, for the header `Authorization`",
      RUNPOD_WEBHOOK_GET_JOB: 'URL to take a job from',
      RUNPOD_WEBHOOK_POST_OUTPUT: 'URL to post a result to',
      RUNPOD_WEBHOOK_POST_STREAM: 'URL to post the values that a job yields to',
      RUNPOD_WEBHOOK_PING: 'URL for the pings of the worker',
      RUNPOD_PING_INTERVAL: 'milliseconds between pings',
      PORT: 'port on which the server of a load-balanced `command` must listen',
      CUDA_VISIBLE_DEVICES: 'the GPUs of the worker',
      CUDA_DEVICE_ORDER: 'the order in which GPUs are numbered',
      PYTHONPATH: 'folders of code and packages, for Python processes that a function or a `command` starts',
      PYTHONUTF8: '`1`: Python reads and writes text as UTF-8',
      PYTHONDONTWRITEBYTECODE: '`1`: Python does not write `__pycache__` folders',
      PYTHONUNBUFFERED: '`1`, only for a `command`: Python prints each line at once',
      PYTHONNOUSERSITE: '`1`, only for a `command`: Python does not use packages from your home folder',
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
  const sections = GROUPS.map(({ title, introduction, variables }) => {
    const rows = Object.entries(variables).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
    const head = introduction ? `## ${title}\n\n${introduction}` : `## ${title}`;
    return `${head}\n\n| Variable | Meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

const INTRODUCTION = `# Environment variables

Flags override environment variables, environment variables override the project's \`.env\`, and \`.env\` overrides the
defaults. From \`.env\`, the toolkit reads \`PLATFORM_API_KEY\`, \`PLATFORM_API_URL\`, \`TOOLKIT_APP\`, \`TOOLKIT_ENV\` and the
variables that declarations read for \`env\`.
`;
