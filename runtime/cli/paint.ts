/** Terminal colors. Off in pipes; NO_COLOR, FORCE_COLOR and --no-color are honored. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const enabled = (() => {
  if (process.argv.includes('--no-color') || process.env['NO_COLOR']) return false;
  if (process.env['FORCE_COLOR'] && process.env['FORCE_COLOR'] !== '0') return true;
  if (process.env['TERM'] === 'dumb') return false;
  return process.stdout.isTTY === true && process.stderr.isTTY === true;
})();

function style(format: Style): (text: string) => string {
  return (text) => (enabled ? styleText(format, text, { validateStream: false }) : text);
}

export const paint = {
  bold: style('bold'),
  dim: style('dim'),
  red: style('red'),
  green: style('green'),
  yellow: style('yellow'),
  cyan: style('cyan'),
};
