/** Shows why a function failed or a request was rejected. */
import type { Failure } from '../request/Exchange.ts';
import { useHost } from './HostContext.ts';

export function FailureView({ failure: { type, message, traceback } }: { failure: Failure }) {
  return (
    <div class="failed">
      <p class="failure">
        {type && <strong>{type}: </strong>}
        {message}
      </p>
      {traceback && (
        <pre class="traceback" aria-label="Traceback">
          {traceback
            .trimEnd()
            .split('\n')
            .map((line, at) => (
              <TracebackLine key={at} line={line} />
            ))}
        </pre>
      )}
    </div>
  );
}

/** In an editor, locations in the project's own files are links. */
function TracebackLine({ line }: { line: string }) {
  const { editor } = useHost();
  const [, before, file, number, after] = /^(\s*)File "([^"]*)", line (\d+)(.*)$/.exec(line) ?? [];
  if (file === undefined) return <span>{`${line}\n`}</span>;
  if (!editor || /^[/<]|^\w:/.test(file)) return <span class="place">{`${line}\n`}</span>;
  return (
    <span class="place">
      {before}
      <button type="button" class="link" onClick={() => editor.openSource(file, Number(number))}>
        {`File "${file}", line ${number}`}
      </button>
      {`${after}\n`}
    </span>
  );
}
