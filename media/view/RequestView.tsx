/** The chosen route: its description, the request to send, and ways to copy it. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LIVE_PREFIX } from '../../runtime/contract/names.ts';
import type { PageEndpoint, PageRoute } from '../../runtime/contract/requestPage.ts';
import { buildRequest, type HttpRequest } from '../request/buildRequest.ts';
import { bodySchema, type Draft, type Field, fieldsOf } from '../request/draft.ts';
import { fieldProblem } from '../request/fieldValue.ts';
import { fileNames, withoutProperty } from '../request/files.ts';
import { problemsIn } from '../schema/problemsIn.ts';
import { CopyButtons } from './CopyButtons.tsx';
import { FileFields } from './FileFields.tsx';
import { formatPath } from './formats.ts';
import { HistoryMenu } from './HistoryMenu.tsx';
import { useHost } from './HostContext.ts';
import { JsonEditor } from './JsonEditor.tsx';
import { ParameterFields } from './ParameterFields.tsx';
import { ProblemList } from './ProblemList.tsx';
import type { Sent } from './useHistory.ts';

/** Both work on every system. */
const SEND_KEYS = navigator.platform.startsWith('Mac') ? '⌘↩' : 'Ctrl+Enter';

interface RequestViewProps {
  route: PageRoute;
  endpoint: PageEndpoint | undefined;
  needsToken: boolean;
  draft: Draft;
  isRunning: boolean;
  /** The requests sent before. */
  sent: readonly Sent[];
  forget: () => void;
  change: (draft: Draft) => void;
  reset: () => void;
  send: (request: HttpRequest) => void;
  stop: () => void;
}

export function RequestView(props: RequestViewProps) {
  const { route, endpoint, needsToken, draft, isRunning, sent, forget, change, reset, send, stop } = props;
  const { editor } = useHost();
  const [wasTried, setTried] = useState(false);
  const [resets, setResets] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const fields = fieldsOf(route);
  const files = fileNames(route);
  const schema = useMemo(() => bodySchema(route, draft.files), [route, draft.files]);
  const root = route.input?.schema ?? {};
  const request = buildRequest(route, draft);
  const source = `${route.file}:${route.line}`;
  const problems = useMemo(() => (schema ? problemsIn(draft.body, schema) : []), [draft.body, schema]);
  const problemOf = (field: Field) => {
    const text = draft.fields[field.name] ?? '';
    return text === '' && !wasTried ? null : fieldProblem(text, field, root);
  };
  const submit = () => {
    setTried(true);
    // Input that the endpoint would reject can be sent, to see its error. Only malformed requests cannot.
    const missing = fields.find(({ name, place }) => place === 'path' && !draft.fields[name]);
    if (missing) form.current!.querySelector<HTMLElement>(`[name="${missing.name}"]`)?.focus();
    else if (!problems.some(({ isSyntax }) => isSyntax)) send(request);
  };
  // A layout effect runs before the next key. A normal effect runs after the paint, so a key right after typing could
  // send the old text.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The editor has handled the key.
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
          <span>
            {editor ? (
              <button type="button" class="link" onClick={() => editor.openSource(route.file, route.line)}>
                {source}
              </button>
            ) : (
              source
            )}
          </span>
        </p>
        {endpoint?.stale && (
          <p class="stale" role="status">
            <strong>The last save is not live.</strong> {endpoint.stale.message} {endpoint.stale.hint}
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
          {files.length > 0 && (
            <FileFields
              names={files}
              files={draft.files ?? {}}
              pick={(name, file) => {
                const body = withoutProperty(draft.body, name);
                change({ ...draft, body, files: { ...draft.files, [name]: file } });
              }}
              remove={(name) => {
                const { [name]: _gone, ...rest } = draft.files ?? {};
                change({ ...draft, files: rest });
              }}
            />
          )}
          <ProblemList text={draft.body} problems={problems} />
        </div>
      )}
      {fields.length === 0 && !schema && <p class="muted">This route takes no parameters.</p>}
      <div class="actions">
        <button class="primary" type="submit" aria-keyshortcuts="Control+Enter Meta+Enter">
          {isRunning ? 'Send again' : 'Send'}
        </button>
        {isRunning && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        <span class="keys muted">{SEND_KEYS}</span>
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
        <HistoryMenu
          sent={sent}
          choose={(chosen) => {
            change(chosen);
            setResets(resets + 1);
          }}
          clear={forget}
        />
        <CopyButtons request={request} needsToken={needsToken} />
      </div>
    </form>
  );
}
