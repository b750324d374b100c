import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWithPython } from '../source/symbolTable.ts';

describe('the names that a function reads from its module', () => {
  it('equal those of Python’s own symbol table, in its whole library', async () => {
    assert.ok((await compareWithPython(1_000_000)) > 2_000);
  });
});
