/** Keys that exist only for endpoints in pyproject.toml → their values, or why they are invalid. */
import type { EndpointKind } from '../../contract/endpoint.ts';
import { invalid, type Outcome } from './argumentValues.ts';
import type { Constant } from './Constant.ts';
import { assigned, example } from './dialect.ts';

/** Reads `command`: a program and its arguments. */
export function readCommand(constant: Constant): Outcome<string[]> {
  if (constant.type === 'string' && constant.value.trim() !== '') {
    const words = constant.value.trim().split(/\s+/);
    return invalid(
      'command must be a list of strings: a program and its arguments',
      `Write ${assigned('toml', 'command', `[${words.map((word) => JSON.stringify(word)).join(', ')}]`)}.`,
    );
  }
  const fix = example('toml', 'command', '["./server", "--verbose"]');
  if (constant.type !== 'list')
    return invalid('command must be a list of strings: a program and its arguments', fix);
  if (constant.items.length === 0) return invalid('command is empty, so there is nothing to run', fix);
  const words: string[] = [];
  for (const [item, part] of constant.items.entries()) {
    if (part.type !== 'string') return { ...invalid('command must contain only strings', fix), item };
    if (item === 0 && part.value.trim() === '')
      return { ...invalid('command does not name a program', fix), item };
    words.push(part.value);
  }
  return { state: 'known', value: words };
}

/** Reads `kind`. A Python declaration has no such argument: its form decides. */
export function readKind(constant: Constant): Outcome<EndpointKind> {
  if (constant.type === 'string' && (constant.value === 'queue' || constant.value === 'load-balanced')) {
    return { state: 'known', value: constant.value };
  }
  return invalid(
    'kind must be "queue" or "load-balanced"',
    'Write kind = "load-balanced", or remove kind for a queue-based endpoint.',
  );
}
