/** The live output of the endpoint's workers. */
import { useEffect, useRef } from 'preact/hooks';
import type { LogLine } from './useProject.ts';

export function LogView({ lines, clear }: { lines: readonly LogLine[]; clear: () => void }) {
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  return (
    <section class="logs" aria-label="Logs">
      <header>
        <h3>Logs</h3>
        {lines.length > 0 && (
          <button type="button" class="quiet" onClick={clear}>
            Clear
          </button>
        )}
      </header>
      {lines.length === 0 ? (
        <p class="muted">The output of the workers appears here.</p>
      ) : (
        <ol
          ref={list}
          tabIndex={0}
          aria-label="Log lines"
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8;
          }}
        >
          {lines.map(({ number, level, message }) => (
            <li key={number} class={level}>
              {message}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
