/** Diagnostics as a SARIF 2.1.0 log, for code scanning. */
import type { Diagnostic, Range } from '../contract/diagnostic.ts';
import { VERSION } from './version.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS = { error: 'error', warning: 'warning', hint: 'note' } as const;

/**
 * One run with one result per finding.
 *
 * @param prefix Path from the repository's root to the project's, empty or ending in `/`.
 */
export function formatSarif(diagnostics: Diagnostic[], prefix: string): string {
  const codes = [...new Map(diagnostics.map(({ code, severity }) => [code, severity]))];
  const rules = codes.map(([id, severity]) => ({ id, defaultConfiguration: { level: LEVELS[severity] } }));
  const location = (file: string, range: Range): object => ({
    physicalLocation: {
      artifactLocation: { uri: (prefix + file).split('/').map(encodeURIComponent).join('/') },
      region: {
        startLine: range.start.line + 1,
        startColumn: range.start.character + 1,
        endLine: range.end.line + 1,
        endColumn: range.end.character + 1,
      },
    },
  });
  const results = diagnostics.map(({ code, severity, message, file, range, related, fix }) => ({
    ruleId: code,
    ruleIndex: codes.findIndex(([id]) => id === code),
    level: LEVELS[severity],
    message: { text: fix ? `${message} ${fix}` : message },
    locations: [location(file, range)],
    ...(related.length > 0
      ? {
          relatedLocations: related.map((other) => ({
            ...location(other.file, other.range),
            message: { text: other.message },
          })),
        }
      : {}),
  }));
  const driver = { name: 'toolkit', version: VERSION, rules };
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return JSON.stringify(log, null, 2);
}
