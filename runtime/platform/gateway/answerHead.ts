/**
 * Parses the head of a worker's response strictly. Anything that another reader could interpret differently is
 * refused (RFC 9112).
 */

/** A worker's response is not valid HTTP/1.1 (RFC 9112). */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

export interface AnswerHead {
  status: number;
  reason: string;
  /** Name in lower case, value, name, value, … */
  headers: string[];
  /** Names listed in the response's Connection header. These headers apply to this connection only. */
  connection: string[];
  /** The value of Content-Length. */
  length: number | null;
  isChunked: boolean;
  /** Whether the worker accepts another request on this connection. */
  keepsOpen: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const FIELD =
  /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*((?:[\x21-\x7e\x80-\xff]+(?:[ \t]+[\x21-\x7e\x80-\xff]+)*)?)[ \t]*$/;
const LENGTH = /^\d{1,15}$/;

/**
 * Parses a head.
 *
 * @param text Its lines without the empty one, each byte as one character.
 * @throws MalformedAnswer for an invalid line or contradictory lengths.
 */
export function parseAnswerHead(text: string): AnswerHead {
  const [first, ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first!);
  if (!status) throw new MalformedAnswer('Its status line is not valid HTTP/1.1.');
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
    throw new MalformedAnswer('Transfer-Encoding cannot be combined with Content-Length or HTTP/1.0.');
  if (head.connection.includes('close')) head.keepsOpen = false;
  return head;
}

function lengthOf(value: string, { length }: AnswerHead): number {
  if (length === null && LENGTH.test(value)) return Number(value);
  throw new MalformedAnswer('Its Content-Length is not a single number.');
}

function isChunked(value: string, { isChunked: isSecond }: AnswerHead): boolean {
  if (!isSecond && value.toLowerCase() === 'chunked') return true;
  throw new MalformedAnswer('Its Transfer-Encoding is not "chunked".');
}

/** The names in a list such as a Connection header's. */
export function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim().toLowerCase());
}
