/** Questions with the answers that a computation got: what it came to holds for as long as these are the same objects. */

/** Each takes one key, and answers with the same object while it says the same. */
type AnyQuestions<Names extends PropertyKey> = Record<Names, (key: never) => unknown>;

/** What was answered, by question and key. */
export type Answers<Questions> = Map<keyof Questions, Map<unknown, unknown>>;

/** The same questions, whose answers are kept. */
export function recording<Questions extends AnyQuestions<keyof Questions>>(
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
export function stillHolds<Questions extends AnyQuestions<keyof Questions>>(
  answers: Answers<Questions>,
  questions: Questions,
): boolean {
  for (const [name, known] of answers) {
    for (const [key, answer] of known) if (questions[name](key as never) !== answer) return false;
  }
  return true;
}
