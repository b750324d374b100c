/** Simulates machines with cards: an nvidia-smi on their PATH that prints what the real one does. */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A PATH on which these cards are found. */
export function pathWithCards(folder: string, cards: string[]): string {
  const bin = mkdtempSync(path.join(folder, 'bin-'));
  const numbered = cards.map((name, index) => `${index}, ${name}`);
  const answer = (lines: string[]) => `cat <<'END'\n${lines.join('\n')}\nEND`;
  const script = `#!/bin/sh
if [ "$1" = --query-gpu=index,name ]; then
${answer(numbered)}
else
${answer(cards)}
fi
`;
  writeFileSync(path.join(bin, 'nvidia-smi'), script);
  chmodSync(path.join(bin, 'nvidia-smi'), 0o755);
  return `${bin}:${process.env['PATH']}`;
}
