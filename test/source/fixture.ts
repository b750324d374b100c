/**
 * A project written as one text, with what must be found in it → its files and the findings expected.
 *
 *     === a.py                                         begins a file; "=== a.py in latin1" encodes it,
 *     from toolkit_sdk import Endpoint                 "=== a.py -> b.py" makes it a link
 *     @Endpoint(name="one")
 *                    ^^^^^ error: duplicate-queue-name the range of the line above that a finding has
 *                    > Its message.                    once a message is told, fix and places must be too
 *                    > Fix: Its remedy.
 *                    > [other] Message of the place that it names beside its own.
 *     def one(): ...
 *         ^^^ [other]                                  a place, which a finding's mark may be as well
 *
 * A row of "^^^ …" takes the range of the mark before it up to there, over several lines. A mark "|" is an empty range.
 */
import type { Diagnostic, Position, Range, RelatedLocation } from '../../runtime/contract/diagnostic.ts';

/** A finding as a fixture tells it: without a message, its range, severity and code alone are compared. */
export interface ExpectedFinding extends Pick<Diagnostic, 'file' | 'range' | 'code' | 'severity'> {
  texts: Pick<Diagnostic, 'message' | 'fix' | 'related'> | null;
}

/** What a file of a fixture is; a link's target is as written. */
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

/** Takes a fixture's text apart. */
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

/** Collects a file's marks and gives its text without them. */
function readMarks(file: string, lines: readonly string[], marks: Mark[]): string {
  const kept: string[] = [];
  let current: Mark | null = null;
  let isTelling = false;
  for (const line of lines) {
    const [, indent, carets, severity, code, place] = MARK.exec(line) ?? [];
    const row = Math.max(kept.length - 1, 0);
    const goesOn = GOES_ON.exec(line);
    const written: RegExpExecArray | null = isTelling ? TEXT_LINE.exec(line) : null;
    isTelling = true;
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
      isTelling = false;
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
    throw new Error(`The finding ${finding.code} in ${file} tells a fix or a place, and no message.`);
  const texts =
    message === null ? null : { message, fix, related: related.map((one) => placeOf(one, marks)) };
  return [{ file, range, ...finding, texts }];
}

function placeOf(
  { place, message }: { place: string; message: string },
  marks: readonly Mark[],
): RelatedLocation {
  const mark = marks.find((other) => other.place === place);
  if (!mark) throw new Error(`A fixture names the place [${place}] and marks it nowhere.`);
  return { file: mark.file, range: mark.range, message };
}
