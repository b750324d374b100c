/** The body of an answer, by its type. */
import { type Exchange, type Failure, isObject, parsed } from '../request/Exchange.ts';
import { FailureView } from './FailureView.tsx';
import { BytesView } from './MediaView.tsx';
import { TextView, ValueView } from './ValueView.tsx';

/** While an answer comes, its end is what is new. */
const TAIL = 20_000;

export function BodyView({ exchange }: { exchange: Exchange }) {
  const { state, text, bytes, type, status } = exchange;
  if (bytes) return <BytesView bytes={bytes} type={type} />;
  if (state === 'running') return text === '' ? null : <pre class="text">{text.slice(-TAIL)}</pre>;
  if (text === '') return <p class="muted">The answer has no body.</p>;
  const refusal = status !== null && status >= 400 ? refusalIn(text) : null;
  if (refusal) return <FailureView failure={refusal} />;
  return type.endsWith('json') ? <ValueView json={text} /> : <TextView text={text} />;
}

/** An answer in the shape of the platform's errors. */
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
