/** The chosen route: what it is, what is sent to it, and how that is written elsewhere. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LIVE_PREFIX } from '../../runtime/contract/names.ts';
import type { PageEndpoint, PageRoute } from '../../runtime/contract/requestPage.ts';
import type { PageHost } from '../PageHost.ts';
import { buildRequest, type HttpRequest } from '../request/buildRequest.ts';
import { bodySchema, type Draft, type Field, fieldsOf } from '../request/draft.ts';
import { fieldProblem } from '../request/fieldValue.ts';
import { problemsIn } from '../schema/problemsIn.ts';
import { CopyButtons } from './CopyButtons.tsx';
import { formatPath } from './formats.ts';
import { JsonEditor } from './JsonEditor.tsx';
import { ParameterFields } from './ParameterFields.tsx';
import { ProblemList } from './ProblemList.tsx';

interface RequestViewProps {
  host: PageHost;
  route: PageRoute;
  endpoint: PageEndpoint | undefined;
  needsToken: boolean;
  draft: Draft;
  isRunning: boolean;
  change: (draft: Draft) => void;
  reset: () => void;
  send: (request: HttpRequest) => void;
  stop: () => void;
}

export function RequestView(props: RequestViewProps) {
  const { host, route, endpoint, needsToken, draft, isRunning, change, reset, send, stop } = props;
  const [wasTried, setTried] = useState(false);
  const [resets, setResets] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const fields = fieldsOf(route);
  const schema = useMemo(() => bodySchema(route), [route]);
  const root = route.input?.schema ?? {};
  const request = buildRequest(route, draft);
  const problems = useMemo(() => (schema ? problemsIn(draft.body, schema) : []), [draft.body, schema]);
  const problemOf = (field: Field) => {
    const text = draft.fields[field.name] ?? '';
    return text === '' && !wasTried ? null : fieldProblem(text, field, root);
  };
  const submit = () => {
    setTried(true);
    // What the endpoint would refuse may be sent, to see what it says; what is no request cannot.
    const missing = fields.find(({ name, place }) => place === 'path' && !draft.fields[name]);
    if (missing) form.current!.querySelector<HTMLElement>(`[name="${missing.name}"]`)?.focus();
    else if (!problems.some(({ isSyntax }) => isSyntax)) send(request);
  };
  // Before the next key: after the next paint, keys that follow typing at once would send what was there before.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The editor has its own keys.
      if (event.defaultPrevented) return;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
      if (event.key === 'Escape' && isRunning) stop();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  return (
    <form
      ref={form}
      class="request"
      aria-label="Request"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <header>
        <h2>
          <span class={`method ${route.method.toLowerCase()}`}>{route.method}</span>
          <span class="path">{formatPath(route.path)}</span>
        </h2>
        {route.description && <p>{route.description}</p>}
        <p class="facts">
          <span>{LIVE_PREFIX + route.endpoint}</span>
          <span>{route.kind === 'queue' ? 'queue-based' : 'load-balanced'}</span>
          <span>{endpoint?.hardware ?? endpoint?.state ?? 'not provisioned'}</span>
          <span>{`${route.file}:${route.line}`}</span>
        </p>
        {endpoint?.stale && (
          <p class="stale" role="status">
            <strong>The last save does not serve.</strong> {endpoint.stale.message} {endpoint.stale.hint}
          </p>
        )}
      </header>
      {fields.length > 0 && (
        <ParameterFields
          fields={fields}
          texts={draft.fields}
          root={root}
          problemOf={problemOf}
          change={(name, text) => change({ ...draft, fields: { ...draft.fields, [name]: text } })}
        />
      )}
      {schema && (
        <div class="body">
          <h3>
            {route.kind === 'queue' ? 'Input' : 'Body'}
            <span class="muted">JSON</span>
          </h3>
          <JsonEditor
            key={`${resets} ${JSON.stringify(schema)}`}
            text={draft.body}
            label={route.kind === 'queue' ? 'Input, JSON' : 'Body, JSON'}
            schema={schema}
            changed={(body) => change({ ...draft, body })}
            send={submit}
          />
          <ProblemList text={draft.body} problems={problems} />
        </div>
      )}
      {fields.length === 0 && !schema && <p class="muted">This route takes no parameters.</p>}
      <div class="actions">
        <button class="primary" type="submit" aria-keyshortcuts="Control+Enter">
          {isRunning ? 'Send again' : 'Send'}
        </button>
        {isRunning && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        <span class="keys muted">Ctrl+Enter</span>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            reset();
            setResets(resets + 1);
          }}
        >
          Reset
        </button>
        <CopyButtons host={host} request={request} needsToken={needsToken} />
      </div>
    </form>
  );
}
