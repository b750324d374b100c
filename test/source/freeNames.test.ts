import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWithPython } from './symbolTable.ts';

describe('the names that a function reads from its module', () => {
  it('equal those of Python’s own symbol table, in part of its library', async () => {
    assert.ok((await compareWithPython(60)) > 100);
  });
});
