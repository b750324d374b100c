/** Reads a line of JSON of a dev server; null for one that is cut short, because its writer was killed. */
export function jsonLine<Message>(line: string): Message | null {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return null;
  }
}
