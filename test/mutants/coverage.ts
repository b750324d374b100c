/** Which places of the sources a test ran: V8's coverage. Node strips types in place, so offsets are those of the source. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

interface Report {
  result: { url: string; functions: { ranges: Range[] }[] }[];
}

/** A place of a source file. */
export interface Place {
  /** Relative to the repository. */
  file: string;
  /** Offset of what runs. */
  ran: number;
}

/** The places that ran in one of the processes that wrote their coverage into a folder. */
export function placesRun<P extends Place>(folder: string, root: string, places: readonly P[]): Set<P> {
  const byFile = Map.groupBy(places, ({ file }) => file);
  const ran = new Set<P>();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of read(path.join(folder, name))) {
      if (!url.startsWith('file:')) continue;
      const inFile = byFile.get(path.relative(root, fileURLToPath(url))) ?? [];
      const ranges = inFile.length > 0 ? functions.flatMap((one) => one.ranges) : [];
      for (const place of inFile) if (innermost(ranges, place.ran)) ran.add(place);
    }
  }
  return ran;
}

function read(file: string): Report['result'] {
  const text = readFileSync(file, 'utf8');
  try {
    return (JSON.parse(text) as Report).result;
  } catch {
    // Its process was killed while it wrote the file. What ran before is in an earlier one.
    return [];
  }
}

/** Whether the innermost block at an offset ran. */
function innermost(ranges: readonly Range[], offset: number): boolean {
  let inner: Range | undefined;
  for (const range of ranges) {
    if (range.startOffset > offset || range.endOffset <= offset) continue;
    if (!inner || range.endOffset - range.startOffset <= inner.endOffset - inner.startOffset) inner = range;
  }
  return (inner?.count ?? 0) > 0;
}
