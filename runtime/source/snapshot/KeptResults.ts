/**
 * What is computed of each file, from answers to questions: it is kept for as long as these are the same objects. Facts
 * that a computation asks for before anybody has read them are read, and it is done again.
 */
import { isDeepStrictEqual } from 'node:util';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import type { Steps } from '../steps.ts';

/** Each takes one key, and answers with the same object while it says the same. */
type AnyQuestions<Names extends PropertyKey> = Record<Names, (key: never) => unknown> & {
  /** Undefined for a file that nobody has read. */
  facts(file: string): FileFacts | null | undefined;
};

/** The same questions for a computation: a file that nobody has read yet counts as empty. */
type Asked<Questions> = Omit<Questions, 'facts'> & { facts(file: string): FileFacts | null };

/** What was answered, by question and key. */
type Answers<Questions> = Map<keyof Questions, Map<unknown, unknown>>;

interface Kept<Questions, Inputs, Value> {
  inputs: Inputs;
  answers: Answers<Questions>;
  value: Value;
}

export class KeptResults<Questions extends AnyQuestions<keyof Questions>, Inputs, Value> {
  readonly #files: ProjectFiles;
  readonly #isSame: (a: Value, b: Value) => boolean;
  readonly #kept = new Map<string, Kept<Questions, Inputs, Value>>();

  /** @param isSame - Whether two results say the same. */
  constructor(files: ProjectFiles, isSame: (a: Value, b: Value) => boolean = isDeepStrictEqual) {
    this.#files = files;
    this.#isSame = isSame;
  }

  has(file: string): boolean {
    return this.#kept.has(file);
  }

  /** Forgets all but some files. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const file of this.#kept.keys()) if (!files.has(file)) this.#kept.delete(file);
  }

  /**
   * The result of one file. What says the same stays the same object, so that nothing follows from it.
   *
   * @param inputs - What it follows from beside the answers.
   */
  *of(
    file: string,
    inputs: Inputs,
    questions: Questions,
    compute: (ask: Asked<Questions>) => Steps<Value>,
  ): Steps<Value> {
    const known = this.#kept.get(file);
    if (known?.inputs === inputs && stillHolds(known.answers, questions)) return known.value;
    for (;;) {
      const unread = new Set<string>();
      const { asked, answers } = recording(questions);
      const facts = (other: string) => {
        const found = asked.facts(other);
        if (found === undefined) unread.add(other);
        return found ?? null;
      };
      const value = yield* compute({ ...asked, facts });
      if (unread.size === 0) {
        const same = known && this.#isSame(known.value, value) ? known.value : value;
        this.#kept.set(file, { inputs, answers, value: same });
        return same;
      }
      for (const other of unread) {
        yield* this.#files.facts(other);
        yield;
      }
    }
  }
}

/** The same questions, whose answers are kept. */
function recording<Questions extends AnyQuestions<keyof Questions>>(
  questions: Questions,
): { asked: Questions; answers: Answers<Questions> } {
  const answers: Answers<Questions> = new Map();
  const asked = Object.fromEntries(
    (Object.keys(questions) as (keyof Questions)[]).map((name) => [
      name,
      (key: never) => {
        const known = answers.get(name) ?? new Map<unknown, unknown>();
        answers.set(name, known);
        if (!known.has(key)) known.set(key, questions[name](key));
        return known.get(key);
      },
    ]),
  ) as Questions;
  return { asked, answers };
}

/** Whether questions are answered as they were. */
function stillHolds<Questions extends AnyQuestions<keyof Questions>>(
  answers: Answers<Questions>,
  questions: Questions,
): boolean {
  for (const [name, known] of answers) {
    for (const [key, answer] of known) if (questions[name](key as never) !== answer) return false;
  }
  return true;
}
