/** Why a function failed or a request was refused. */
import type { Failure } from '../request/Exchange.ts';

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
              <span key={at} class={/^\s*File "/.test(line) ? 'place' : undefined}>
                {`${line}\n`}
              </span>
            ))}
        </pre>
      )}
    </div>
  );
}
