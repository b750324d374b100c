/** The table of commands → the reference of all commands with their arguments, flags and examples. */
import type { CommandSpec, FlagSpec } from '../../runtime/cli/commandSpec.ts';
import { COMMANDS, GLOBAL_FLAGS } from '../../runtime/cli/commands.ts';

/** In Markdown, without a heading. */
export function commandFlags(): string {
  const everywhere = `### Flags of all commands\n\n${GLOBAL_FLAGS.map(flagLine).join('\n')}\n`;
  return [everywhere, ...COMMANDS.flatMap((spec) => sections(spec, 'toolkit'))].join('\n');
}

function sections(spec: CommandSpec, parent: string): string[] {
  const name = `${parent} ${spec.name}`;
  if (spec.commands) return spec.commands.flatMap((one) => sections(one, name));
  const title = [name, ...(spec.arguments ?? []).map(([argument]) => argument)].join(' ');
  const lines = [
    ...(spec.arguments ?? []).map(([argument, description]) => `- \`${argument}\`: ${description}`),
    ...(spec.flags ?? []).filter(({ hidden }) => !hidden).map(flagLine),
  ];
  const examples = spec.examples.map(([command, effect]) => `${command}  # ${effect}`).join('\n');
  const list = lines.length > 0 ? `${lines.join('\n')}\n\n` : '';
  return [`### \`${title}\`\n\n${spec.summary}\n\n${list}\`\`\`sh\n${examples}\n\`\`\`\n`];
}

function flagLine({ flags, description, choices }: FlagSpec): string {
  const among = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
  return `- \`${flags}\`: ${description}${choices ? '.' : ''}${among}`;
}
