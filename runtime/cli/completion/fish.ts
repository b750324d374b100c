/** Completion for fish: one `complete` line per word, with a condition on the words before it. */
import { type CommandWords, ENDPOINT_NAMES, type FlagWords } from './words.ts';

export function fishCompletion(words: CommandWords[]): string {
  const valued = words.flatMap(({ flags }) =>
    flags.filter(({ takesValue }) => takesValue).map(({ long }) => long),
  );
  const parents = words.filter(({ subcommands }) => subcommands.length > 0).map(({ path }) => quote(path));
  return `# fish completion for toolkit
function __toolkit_path
    set -l path
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip -eq 1
            set skip 0
        else if contains -- $word ${[...new Set(valued)].join(' ')}
            set skip 1
        else if not string match -q -- '-*' $word
            contains -- "$path" ${parents.join(' ')}; and set path (string trim "$path $word")
        end
    end
    echo "$path"
end
function __toolkit_at
    test (__toolkit_path) = "$argv[1]"
end
function __toolkit_endpoints
    ${ENDPOINT_NAMES}
end
complete -c toolkit -f
${words.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ path, flags, subcommands, completes }: CommandWords): string[] {
  const head = `complete -c toolkit -n ${quote(`__toolkit_at ${quote(path)}`)}`;
  return [
    ...subcommands.map(({ name, summary }) => `${head} -a ${name} -d ${quote(summary)}`),
    ...flags.map((flag) => `${head} ${flagOptions(flag)}`),
    ...(completes === 'path' ? [`${head} -F`] : []),
    ...(completes === 'endpoint' ? [`${head} -a '(__toolkit_endpoints)'`] : []),
    ...(Array.isArray(completes) ? [`${head} -a ${quote(completes.join(' '))}`] : []),
  ];
}

function flagOptions({ long, short, description, takesValue, choices, isPath }: FlagWords): string {
  return [
    `-l ${long.slice(2)}`,
    ...(short ? [`-s ${short.slice(1)}`] : []),
    ...(takesValue ? ['-r'] : []),
    ...(choices.length > 0 ? [`-a ${quote(choices.join(' '))}`] : []),
    ...(isPath ? ['-F'] : []),
    `-d ${quote(description)}`,
  ].join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
