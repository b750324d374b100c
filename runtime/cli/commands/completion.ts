/** `toolkit completion SHELL`: prints a script to source, generated from the table of commands. */
import { ToolkitError } from '../../contract/errors.ts';
import { COMMANDS, GLOBAL_FLAGS } from '../commands.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { completionWords } from '../completion/words.ts';
import { zshCompletion } from '../completion/zsh.ts';
import type { Handler } from '../session.ts';

const SHELLS = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

export const handle: Handler = async ({ args }) => {
  const shell = args[0]!;
  const write = SHELLS.get(shell);
  if (!write) {
    throw new ToolkitError('USAGE', `Completion for "${shell}" is not supported.`, {
      hint: `Supported shells: ${[...SHELLS.keys()].join(', ')}.`,
    });
  }
  process.stdout.write(write(completionWords(COMMANDS, GLOBAL_FLAGS)));
};
