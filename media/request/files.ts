/** Body parameters of type bytes: picked as files, and sent as base64 in the JSON. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { InputSchema, JsonSchema } from '../../runtime/contract/inputSchema.ts';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import { alternativesOf } from '../schema/resolve.ts';

export interface PickedFile {
  name: string;
  /** In bytes. */
  size: number;
  base64: string;
}

/** Keyed by parameter. */
export type PickedFiles = Record<string, PickedFile>;

/** The parameters that can be picked as files. */
export function fileNames({ input }: PageRoute): string[] {
  const { schema, sources } = input ?? { schema: {} as JsonSchema, sources: {} as InputSchema['sources'] };
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isBytes = alternativesOf(property, schema).some((one) => one.contentEncoding === 'base64');
    return isBytes && sources[name] === 'body' ? [name] : [];
  });
}

/** The JSON of an object with the files added as values. */
export function withFiles(json: string, files: PickedFiles): string {
  return Object.entries(files).reduce((text, [name, { base64 }]) => {
    const own = withoutProperty(text, name);
    const tree = parseTree(own);
    if (tree?.type !== 'object') return text;
    const at = tree.offset + 1;
    return `${own.slice(0, at)}${JSON.stringify(name)}: "${base64}"${tree.children?.length ? ', ' : ''}${own.slice(at)}`;
  }, json);
}

/** The JSON of an object without one property. The rest of the text is unchanged. */
export function withoutProperty(json: string, name: string): string {
  const tree = parseTree(json);
  const property = tree && findNodeAtLocation(tree, [name])?.parent;
  if (!property) return json;
  const all = property.parent!.children!;
  const at = all.indexOf(property);
  const [before, after] = [all[at - 1], all[at + 1]];
  const from = before ? endOf(before) : property.offset;
  const to = before || !after ? endOf(property) : after.offset;
  return json.slice(0, from) + json.slice(to);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
