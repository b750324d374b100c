/** What a server has published, line by line, and whether the commands report the same. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProject } from '../../runtime/source/readProject.ts';
import { type LanguageClient, uriOf } from './languageClient.ts';

/** What an editor shows: a line for each finding and each node of the tree. */
export function publishedLines({ published, trees }: LanguageClient, base: string): string[] {
  const findings = [...published].flatMap(([file, { diagnostics }]) =>
    diagnostics.map((found) => `${file} ${found.code} ${JSON.stringify(found)}`),
  );
  const nodes = (trees.at(-1)?.projects ?? []).flatMap(({ endpoints, ...project }) => [
    `tree: ${project.root} ${withoutPlaces(project)}`,
    ...endpoints.map((endpoint) => `tree: ${project.root} ${endpoint.id} ${withoutPlaces(endpoint)}`),
  ]);
  return [...findings, ...nodes].map((line) => line.replaceAll(uriOf(base), '')).sort();
}

/** Editors are not notified when only locations change. */
function withoutPlaces(node: unknown): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (/^(?:range|selectionRange|line)$/.test(key)) return undefined;
    return key === 'message' && typeof value === 'string' ? value.replace(/(\.\w+):\d+/g, '$1') : value;
  });
}

/** Compares what was published for the projects in these folders with what `toolkit check` finds in them. */
export async function compareWithCheck(
  client: LanguageClient,
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const roots = (client.trees.at(-1)?.projects ?? []).map(({ root }) => fileURLToPath(root));
  for (const root of roots) {
    // A file that belongs to no project is checked alone.
    const isRead = folders.some((folder) => root === folder || root.startsWith(`${folder}/`));
    if (!isRead || !existsSync(root)) continue;
    const inner = roots.filter((other) => other.startsWith(`${root}/`));
    const { diagnostics } = await readProject({ root, env: { ...process.env, ...env } });
    for (const [name, found] of Map.groupBy(diagnostics, ({ file }) => file)) {
      const file = path.join(root, name);
      if (inner.some((other) => file.startsWith(`${other}/`))) continue;
      assert.deepEqual(
        client
          .diagnosticsOf(uriOf(file))
          .map(({ code }) => String(code))
          .sort(),
        found.map(({ code }) => code).sort(),
        `${file}: the published findings differ from those of check`,
      );
    }
  }
}
