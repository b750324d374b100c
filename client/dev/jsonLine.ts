/** Parses a line of JSON from a dev server; null if it is truncated because the server was killed. */
export function jsonLine<Message>(line: string): Message | null {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return null;
  }
}
