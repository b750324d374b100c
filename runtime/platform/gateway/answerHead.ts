/** The head of a worker's answer, read strictly: what another reader could take differently is refused (RFC 9112). */

/** A worker's answer is not HTTP/1.1 as RFC 9112 asks for. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

export interface AnswerHead {
  status: number;
  reason: string;
  /** Name in lower case, value, name, value, … */
  headers: string[];
  /** Names that the answer's Connection header lists: they are for this connection only. */
  connection: string[];
  /** Bytes that Content-Length announces. */
  length: number | null;
  isChunked: boolean;
  /** Whether the worker takes another request on this connection. */
  keepsOpen: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const FIELD =
  /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*((?:[\x21-\x7e\x80-\xff]+(?:[ \t]+[\x21-\x7e\x80-\xff]+)*)?)[ \t]*$/;
const LENGTH = /^\d{1,15}$/;

/**
 * Reads a head.
 *
 * @param text Its lines without the empty one, each byte one character.
 * @throws MalformedAnswer for a line that is none of HTTP's, and for lengths that contradict each other.
 */
export function parseAnswerHead(text: string): AnswerHead {
  const [first, ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first!);
  if (!status) throw new MalformedAnswer('Its status line is not one of HTTP/1.1.');
  const isOld = status[1] === '0';
  const head: AnswerHead = {
    status: Number(status[2]),
    reason: status[3] ?? '',
    headers: [],
    connection: [],
    length: null,
    isChunked: false,
    keepsOpen: !isOld,
  };
  for (const line of lines) {
    const field = FIELD.exec(line);
    if (!field)
      throw new MalformedAnswer('It has a header line without a name, or with a control character.');
    const [name, value] = [field[1]!.toLowerCase(), field[2]!];
    head.headers.push(name, value);
    if (name === 'content-length') head.length = lengthOf(value, head);
    else if (name === 'transfer-encoding') head.isChunked = isChunked(value, head);
    else if (name === 'connection') head.connection.push(...namesIn(value));
  }
  if (head.isChunked && (head.length !== null || isOld))
    throw new MalformedAnswer('Content-Length or HTTP/1.0 excludes Transfer-Encoding.');
  if (head.connection.includes('close')) head.keepsOpen = false;
  return head;
}

function lengthOf(value: string, { length }: AnswerHead): number {
  if (length === null && LENGTH.test(value)) return Number(value);
  throw new MalformedAnswer('Its Content-Length is not one number.');
}

function isChunked(value: string, { isChunked: isSecond }: AnswerHead): boolean {
  if (!isSecond && value.toLowerCase() === 'chunked') return true;
  throw new MalformedAnswer('Its Transfer-Encoding is not "chunked".');
}

/** The names in a list such as a Connection header's. */
export function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim().toLowerCase());
}
