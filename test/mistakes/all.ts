/** Every mistake that can be detected without a platform. */
import { COMMAND_LINE_MISTAKES } from './commandLine.ts';
import { CONFIGURATION_MISTAKES } from './configuration.ts';
import { DECLARATION_MISTAKES } from './declarations.ts';
import { KEY_MISTAKES } from './keys.ts';
import type { Mistake } from './mistake.ts';

export const MISTAKES: Mistake[] = [
  ...DECLARATION_MISTAKES,
  ...CONFIGURATION_MISTAKES,
  ...KEY_MISTAKES,
  ...COMMAND_LINE_MISTAKES,
];
