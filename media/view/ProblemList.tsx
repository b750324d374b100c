/** The problems in the body, shown below its editor. */
import type { Problem } from '../schema/problemsIn.ts';

const MAX_SHOWN = 4;

export function ProblemList({ text, problems }: { text: string; problems: readonly Problem[] }) {
  const rest = problems.length - MAX_SHOWN;
  return (
    <ul class="problems" role="status" aria-label="Problems">
      {problems.slice(0, MAX_SHOWN).map(({ from, message }) => (
        <li key={`${from} ${message}`} class="problem">
          {message} <span class="muted">line {text.slice(0, from).split('\n').length}</span>
        </li>
      ))}
      {rest > 0 && <li class="muted">and {rest} more</li>}
    </ul>
  );
}
