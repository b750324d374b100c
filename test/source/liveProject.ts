/** Creates a live project in this process from a folder, like in the language server. */
import { FindingReader } from '../../runtime/source/findings/FindingReader.ts';
import { LiveProject } from '../../runtime/source/snapshot/LiveProject.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { writeProject } from './checkProject.ts';

/** Writes files and reads them as a project. */
export function openProject(files: Record<string, string>): Promise<LiveProject> {
  return openFolder(writeProject(files));
}

/** Reads a folder as a project. */
export async function openFolder(root: string): Promise<LiveProject> {
  const project = new LiveProject({
    root,
    parser: await loadWasmParser(),
    findings: FindingReader,
    onCrash: (file, error) => {
      throw new Error(`Reading ${file} crashed.`, { cause: error });
    },
  });
  runSteps(project.read());
  await project.configure();
  runSteps(project.update());
  return project;
}
