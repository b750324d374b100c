/** `toolkit.run`: opens the request panel, from a lens, the explorer or the palette. */
import { EDITOR_COMMANDS } from '../../runtime/contract/editorMessages.ts';
import { type Argument, targetOf } from '../commands/targetOf.ts';
import type { LanguageServer } from '../LanguageServer.ts';
import { chooseProject } from '../projects/chooseProject.ts';
import type { Services } from '../Services.ts';
import type { RequestPanels, RunTarget } from './RequestPanels.ts';

interface RunSurroundings {
  services: Pick<Services, 'projects' | 'showError'>;
  server: LanguageServer;
  panels: RequestPanels;
}

export function runCommand({
  services: { projects, showError },
  server,
  panels,
}: RunSurroundings): Record<string, (argument?: Argument) => unknown> {
  /** The target of a lens, an entry or the cursor; else a project, whose panel lists its routes. */
  const chosen = async (argument: Argument): Promise<RunTarget | undefined> =>
    (await targetOf(argument, { projects, server })) ??
    (await chooseProject(projects, argument && 'root' in argument ? argument : undefined));

  return {
    async [EDITOR_COMMANDS.run](argument) {
      try {
        const target = await chosen(argument);
        if (target) await panels.open(target);
      } catch (error) {
        await showError(error);
      }
    },
  };
}
