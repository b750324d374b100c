/** A node of the tree → the JSON Schema of its input. */
import type { InputSchema } from '../../runtime/contract/inputSchema.ts';
import { inputSchema } from '../../runtime/source/declarations/inputSchema.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { nodesById, routeOf } from './endpointNodes.ts';

/** Null if there is no such node, or for an endpoint without a function of its own: an instance or a table. */
export async function inputSchemaOf(project: ProjectView, id: string): Promise<InputSchema | null> {
  const node = nodesById(project.index).get(id);
  const served = node && (node.served ?? node.declaration.served[0]);
  if (!served) return null;
  const parser = await loadWasmParser();
  const { names } = project.index;
  return inputSchema({ names, parser, textOf: (file) => project.textOf(file) }, served, routeOf(node));
}
