/** Completion for zsh: calls `_arguments` for the command on the line. */
import { type CommandWords, ENDPOINT_NAMES, type FlagWords } from './words.ts';

export function zshCompletion(words: CommandWords[]): string {
  return `#compdef toolkit
# zsh completion for toolkit
_toolkit_endpoints() {
  local -a names
  names=(\${(f)"$(${ENDPOINT_NAMES})"})
  compadd -a names
}
${words.map(commandFunction).join('\n')}
if [[ "$funcstack[1]" == _toolkit ]]; then
  _toolkit "$@"
else
  compdef _toolkit toolkit
fi
`;
}

function functionName(path: string): string {
  return path === '' ? '_toolkit' : `_toolkit_${path.replaceAll(' ', '_')}`;
}

function commandFunction({ path, flags, subcommands, completes }: CommandWords): string {
  const specs = flags.map(argument);
  if (subcommands.length > 0) {
    const described = subcommands.map(({ name, summary }) =>
      quote(`${name}:${summary.replaceAll(':', '\\:')}`),
    );
    return `${functionName(path)}() {
  local curcontext="$curcontext" state line
  _arguments -C ${specs.join(' ')} '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands=(${described.join(' ')})
      _describe command commands ;;
    rest)
      case $line[1] in
${subcommands
  .map(({ name }) => `        ${name}) ${functionName(path === '' ? name : `${path} ${name}`)} ;;`)
  .join('\n')}
      esac ;;
  esac
}`;
  }
  const operand =
    completes === 'path'
      ? [`'*:path:_files'`]
      : completes === 'endpoint'
        ? [`'*:endpoint:_toolkit_endpoints'`]
        : completes
          ? [`'1: :(${completes.join(' ')})'`]
          : [];
  return `${functionName(path)}() {
  _arguments ${[...specs, ...operand].join(' ')}
}`;
}

function argument({ long, short, description, takesValue, choices, isPath }: FlagWords): string {
  const text = description.replaceAll(':', '\\:').replaceAll('[', '\\[').replaceAll(']', '\\]');
  const value = takesValue
    ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : isPath ? '_files' : ' '}`
    : '';
  const spec = `[${text}]${value}`;
  return short === null
    ? quote(`${long}${spec}`)
    : `${quote(`(${short} ${long})`)}{${short},${long}}${quote(spec)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
