/** A node of the syntax tree. */
export interface Node {
  type: string;
  start: number;
  end: number;
  // The tree has many node types, of which only a few are read here.
  // oxlint-disable-next-line typescript/no-explicit-any
  [field: string]: any;
}
