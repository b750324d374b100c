/**
 * Parses a project that is written as one text together with the findings expected in it.
 *
 *     === a.py                                         begins a file; "=== a.py in latin1" encodes it,
 *     from toolkit_sdk import Endpoint                 "=== a.py -> b.py" makes it a link
 *     @Endpoint(name="one")
 *                    ^^^^^ error: duplicate-queue-name the range of a finding in the line above
 *                    > Its message.                    with a message, fix and related locations are compared too
 *                    > Fix: Its text.
 *                    > [other] The message of a related location.
 *     def one(): ...
 *         ^^^ [other]                                  a related location; a finding's mark can be one too
 *
 * A row "^^^ …" extends the range of the previous mark to its end, over several lines. A mark "|" is an empty range.
 */
import type { Diagnostic, Position, Range, RelatedLocation } from '../../runtime/contract/diagnostic.ts';

/** A finding of a fixture. Without a message, only its range, severity and code are compared. */
export interface ExpectedFinding extends Pick<Diagnostic, 'file' | 'range' | 'code' | 'severity'> {
  texts: Pick<Diagnostic, 'message' | 'fix' | 'related'> | null;
}

/** A file of a fixture. The target of a link is as written. */
type FixtureFile = { bytes: Uint8Array; text: string } | { link: string };

export interface Fixture {
  files: Record<string, FixtureFile>;
  findings: ExpectedFinding[];
}

const HEADER = /^(.+?)(?: in (\w+)| -> (\S+))?$/;
const MARK = /^( *)(\^+|\|)(?: (error|warning|hint): ([a-z-]+))?(?: \[(\w+)\])?$/;
const GOES_ON = /^( *)(\^+) …$/;
const TEXT_LINE = /^ *> (?:(Fix: )|\[(\w+)\] )?(.+)$/;

interface Mark {
  file: string;
  range: Range;
  finding: Pick<Diagnostic, 'code' | 'severity'> | null;
  place: string | undefined;
  message: string | null;
  fix: string | null;
  related: { place: string; message: string }[];
}

/** Parses a fixture's text. */
export function parseFixture(fixture: string): Fixture {
  const files: Fixture['files'] = {};
  const marks: Mark[] = [];
  for (const section of fixture.split(/^=== /m).slice(1)) {
    const [header, ...lines] = section.split('\n');
    const [, file, encoding, link] = HEADER.exec(header!) ?? [];
    if (file === undefined) throw new Error(`A fixture's file cannot be read from "=== ${header}".`);
    const text = readMarks(file, lines, marks);
    const bytes = Buffer.from(text, (encoding ?? 'utf8') as BufferEncoding);
    files[file] = link === undefined ? { bytes, text } : { link };
  }
  return { files, findings: marks.flatMap((mark) => expectedOf(mark, marks)) };
}

/** Collects a file's marks and returns its text without them. */
function readMarks(file: string, lines: readonly string[], marks: Mark[]): string {
  const kept: string[] = [];
  let current: Mark | null = null;
  let inTexts = false;
  for (const line of lines) {
    const [, indent, carets, severity, code, place] = MARK.exec(line) ?? [];
    const row = Math.max(kept.length - 1, 0);
    const goesOn = GOES_ON.exec(line);
    const written: RegExpExecArray | null = inTexts ? TEXT_LINE.exec(line) : null;
    inTexts = true;
    if (indent !== undefined && (code !== undefined || place !== undefined)) {
      const start = { line: row, character: indent.length };
      const end: Position = { line: row, character: indent.length + carets!.replace('|', '').length };
      const finding = code === undefined ? null : ({ code, severity } as Mark['finding']);
      current = { file, range: { start, end }, finding, place, message: null, fix: null, related: [] };
      marks.push(current);
    } else if (goesOn && current) {
      current.range.end = { line: row, character: goesOn[1]!.length + goesOn[2]!.length };
    } else if (written && current) {
      const [, isFix, about, text] = written;
      if (isFix !== undefined) current.fix = text!;
      else if (about !== undefined) current.related.push({ place: about, message: text! });
      else current.message = text!;
    } else {
      inTexts = false;
      kept.push(line);
    }
  }
  return kept.join('\n');
}

function expectedOf(
  { file, range, finding, message, fix, related }: Mark,
  marks: readonly Mark[],
): ExpectedFinding[] {
  if (!finding) return [];
  if (message === null && (fix !== null || related.length > 0))
    throw new Error(`The finding ${finding.code} in ${file} has a fix or a related location but no message.`);
  const texts =
    message === null ? null : { message, fix, related: related.map((one) => placeOf(one, marks)) };
  return [{ file, range, ...finding, texts }];
}

function placeOf(
  { place, message }: { place: string; message: string },
  marks: readonly Mark[],
): RelatedLocation {
  const mark = marks.find((other) => other.place === place);
  if (!mark) throw new Error(`A fixture names the location [${place}] but does not mark it.`);
  return { file: mark.file, range: mark.range, message };
}
