/** Every fix that is offered for a fixture of the rules, applied by itself and read again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import { fixesFor } from '../../../runtime/source/fixes/fixesFor.ts';
import { writeFixture } from '../checkProject.ts';
import { parseFixture } from '../fixture.ts';
import { RULE_FIXTURES } from '../rules/all.ts';
import { checkFix, type Files, findingsOf, openProject, parsePython, pythonOf } from './checkFix.ts';

/** Fields of the documents that the fixes of a code change, and codes that go or come to light with them. */
const EFFECTS: Partial<Record<DiagnosticCode, { changes?: string[]; others?: DiagnosticCode[] }>> = {
  'duplicate-queue-name': { changes: ['name', 'kind'] },
  'duplicate-route': { changes: ['path'] },
  'gpu-and-cpu': { changes: ['hardware'] },
  'invalid-argument': {
    changes: ['hardware', 'workers', 'idleTimeout', 'dependencies', 'gpuCount', 'env', 'image', 'command'],
    others: ['provided-by-image'],
  },
  'invalid-cpu': { changes: ['hardware'] },
  'invalid-name': { changes: ['name'] },
  'invalid-path': { changes: ['path', 'routes', 'dynamic'], others: ['route-parameter-mismatch'] },
  'invalid-workers': { changes: ['workers'] },
  'missing-description': { changes: ['description'] },
  'missing-name': { changes: ['name'] },
  'name-in-both-forms': { changes: ['name', 'kind'] },
  'not-an-endpoint': { changes: ['kind'], others: ['missing-description', 'no-routes'] },
  'provided-by-image': { changes: ['dependencies'] },
  'reserved-name': { changes: ['name'] },
  'reserved-path': { changes: ['path'] },
  'route-parameter-mismatch': { changes: ['path', 'parameters'] },
  'top-level-import': { others: ['undeclared-dependency'] },
  'undeclared-dependency': { changes: ['dependencies'] },
  'unknown-cpu': { changes: ['hardware'] },
  'unknown-gpu': { changes: ['hardware'] },
  'unknown-keyword': { changes: ['workers', 'idleTimeout', 'executionTimeout', 'dependencies'] },
  'unsupported-form': { changes: ['kind'], others: ['missing-description', 'no-routes'] },
  'worker-quota': { changes: ['workers'] },
};

describe('fixes of every fixture', () => {
  const results: string[] = [];
  let count = 0;
  for (const [code, { fires }] of Object.entries(RULE_FIXTURES)) {
    for (const [title, text] of fires) {
      it(`${code}: ${title}`, async () => {
        const fixture = parseFixture(text);
        const files: Files = {};
        for (const [file, content] of Object.entries(fixture.files)) {
          // Edits are of files with a text.
          if ('link' in content || !Buffer.from(content.text).equals(content.bytes)) return;
          files[file] = content.text;
        }
        const project = await openProject(writeFixture(fixture));
        const findings = findingsOf(project);
        const isPython = findings.every((one) => one.code !== 'syntax-error');
        for (const found of findings) {
          for (const fix of fixesFor(project, found)) {
            const effects = fix.title.startsWith('Silence') ? {} : EFFECTS[found.code];
            const result = await checkFix(files, project, { fix, found, ...effects });
            if (isPython) results.push(...pythonOf(result));
            count += 1;
          }
        }
      });
    }
  }

  it('leaves what Python parses', () => {
    assert.ok(count > 100, `${count} fixes`);
    parsePython(results);
  });
});
