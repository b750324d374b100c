/**
 * Caches a result for each file, computed from the answers to questions. A result stays valid as long as all
 * answers are the same objects. If a computation asks for facts that have not been read yet, they are read
 * and the computation runs again.
 */
import { isDeepStrictEqual } from 'node:util';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import type { Steps } from '../steps.ts';

/** Each question takes one key and returns the same object as long as its answer does not change. */
type AnyQuestions<Names extends PropertyKey> = Record<Names, (key: never) => unknown> & {
  /** Undefined for a file that has not been read yet. */
  facts(file: string): FileFacts | null | undefined;
};

/** The same questions, as a computation sees them: facts are null for a file that has not been read yet. */
type Asked<Questions> = Omit<Questions, 'facts'> & { facts(file: string): FileFacts | null };

/** Answers, by question and key. */
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

  /** @param isSame - Whether two results are equal. */
  constructor(files: ProjectFiles, isSame: (a: Value, b: Value) => boolean = isDeepStrictEqual) {
    this.#files = files;
    this.#isSame = isSame;
  }

  has(file: string): boolean {
    return this.#kept.has(file);
  }

  /** Drops the results of all other files. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const file of this.#kept.keys()) if (!files.has(file)) this.#kept.delete(file);
  }

  /**
   * The result of one file. If the new result equals the previous one, the previous object is returned, so
   * that nothing that depends on it is computed again.
   *
   * @param inputs - What the result depends on in addition to the answers.
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

/** Wraps the questions so that their answers are recorded. */
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

/** Whether all questions still have the recorded answers. */
function stillHolds<Questions extends AnyQuestions<keyof Questions>>(
  answers: Answers<Questions>,
  questions: Questions,
): boolean {
  for (const [name, known] of answers) {
    for (const [key, answer] of known) if (questions[name](key as never) !== answer) return false;
  }
  return true;
}
