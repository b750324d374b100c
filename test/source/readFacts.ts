/** Reads the facts of one Python text at once. */
import { FileBinder } from '../../runtime/source/binder/FileBinder.ts';
import type { FileFacts } from '../../runtime/source/binder/FileFacts.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';

export function readFacts({ file, text }: { file: string; text: string }, parser: SyntaxParser): FileFacts {
  return runSteps(new FileBinder(file, parser).steps(text));
}
