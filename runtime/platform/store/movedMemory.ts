/**
 * Finds the memory in a message that is transferred to the other thread instead of being copied: that of long
 * texts.
 */
import { LONG_TEXT } from '../json/jsonText.ts';

/** The memory of the long texts in plain data, if any. The sender cannot use it afterwards. */
export function movedMemory(data: unknown, found?: ArrayBuffer[]): ArrayBuffer[] | undefined {
  let moved = found;
  if (data instanceof Uint8Array) {
    // A shorter text may share its memory with others.
    if (data.byteLength >= LONG_TEXT) (moved ??= []).push(data.buffer as ArrayBuffer);
  } else if (Array.isArray(data)) for (const item of data) moved = movedMemory(item, moved);
  else if (typeof data === 'object' && data !== null)
    for (const key in data) moved = movedMemory((data as Record<string, unknown>)[key], moved);
  return moved;
}
