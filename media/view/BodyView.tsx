/** The body of a response, shown by its type. */
import { type Exchange, type Failure, isObject, parsed } from '../request/Exchange.ts';
import { FailureView } from './FailureView.tsx';
import { BytesView } from './MediaView.tsx';
import { TextView, ValueView } from './ValueView.tsx';

/** In characters. While a response arrives, only its end is shown. */
const TAIL = 20_000;

export function BodyView({ exchange }: { exchange: Exchange }) {
  const { state, text, bytes, type, status } = exchange;
  if (bytes) return <BytesView bytes={bytes} type={type} />;
  if (state === 'running') return text === '' ? null : <pre class="text">{text.slice(-TAIL)}</pre>;
  if (text === '') return <p class="muted">The response has no body.</p>;
  const refusal = status !== null && status >= 400 ? refusalIn(text) : null;
  if (refusal) return <FailureView failure={refusal} />;
  return type.endsWith('json') ? <ValueView json={text} /> : <TextView text={text} />;
}

/** The failure in a response with the shape of the platform's errors. */
function refusalIn(text: string): Failure | null {
  const value = parsed(text);
  if (!isObject(value) || typeof value['error'] !== 'string') return null;
  const { error, code, hint, traceback } = value;
  return {
    type: typeof code === 'string' ? code : null,
    message: typeof hint === 'string' ? `${error} ${hint}` : error,
    traceback: typeof traceback === 'string' ? traceback : null,
  };
}
