/** Takes away `gpu` or `cpu` where both are given. */
import { isDirect, removeArgument } from './callArguments.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { argumentAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

export const oneHardware: Fixer = (project, found) => {
  const declaration = argumentAt(project.index, found)?.declaration;
  const source = SourceText.of(project, found.file);
  if (!declaration || !source) return [];
  return (['cpu', 'gpu'] as const).flatMap((keyword) => {
    const argument = declaration.given[keyword];
    if (!argument || !isDirect(declaration, argument)) return [];
    const edits = removeArgument(source, declaration, argument);
    return [fixIn({ title: `Remove ${keyword}`, file: found.file, edits })];
  });
};
