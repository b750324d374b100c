/** Completion for bash 4 and newer: one function with a case per command. */
import { type CommandWords, ENDPOINT_NAMES, type FlagWords } from './words.ts';

export function bashCompletion(words: CommandWords[]): string {
  const parents = words.filter(({ subcommands }) => subcommands.length > 0).map(({ path }) => path);
  const valued = unique(
    words.flatMap(({ flags }) => flags.filter(({ takesValue }) => takesValue).map(({ long }) => long)),
  );
  return `# bash completion for toolkit
_toolkit() {
  local cur prev path="" word index
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
      ${valued.join('|')}) ((index++)) ;;
      -*) ;;
      *) case "$path" in ${parents.map((path) => `"${path}"`).join('|')}) path="\${path:+$path }$word" ;; esac ;;
    esac
  done
  case "$path" in
${words.map(commandCase).join('\n')}
  esac
}
complete -F _toolkit toolkit
`;
}

function commandCase({ path, flags, subcommands, completes }: CommandWords): string {
  const values = flags.filter(({ takesValue }) => takesValue).map(valueCase);
  const names = flags.flatMap(({ long, short }) => (short ? [short, long] : [long]));
  return `    "${path}")
      case "$prev" in
${values.join('\n')}
      esac
      if [[ "$cur" == -* ]]; then
        COMPREPLY=($(compgen -W "${names.join(' ')}" -- "$cur"))
      else
        ${operands(subcommands, completes)}
      fi ;;`;
}

function valueCase({ long, choices, isPath }: FlagWords): string {
  const offer =
    choices.length > 0
      ? `COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$cur")); `
      : isPath
        ? 'COMPREPLY=($(compgen -f -- "$cur")); '
        : '';
  return `        ${long}) ${offer}return ;;`;
}

function operands(subcommands: CommandWords['subcommands'], completes: CommandWords['completes']): string {
  const fixed = subcommands.length > 0 ? subcommands.map(({ name }) => name) : completes;
  if (fixed === 'path') return 'COMPREPLY=($(compgen -f -- "$cur"))';
  if (fixed === 'endpoint') return `COMPREPLY=($(compgen -W "$(${ENDPOINT_NAMES})" -- "$cur"))`;
  return fixed ? `COMPREPLY=($(compgen -W "${fixed.join(' ')}" -- "$cur"))` : ':';
}

function unique(words: string[]): string[] {
  return [...new Set(words)];
}
