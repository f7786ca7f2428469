import { present } from "../collections.js";
/**
 * Why a question has no answer.
 *
 * - `unread`: the world refused to show it
 * - `hidden`: the world shows everything but this
 * - `later`: nobody knows before the change is made
 * - `open`: the world has only a part of Azure, and nothing in it answers
 * - `condition`: a role is assigned with a condition, which nothing here evaluates
 * - `perimeter`: the rules of a network security perimeter decide, which nothing here reads
 */
export class Doubt {
  constructor(
    readonly why: "unread" | "hidden" | "later" | "open" | "condition" | "perimeter",
    /** The unknown, in words for people. */
    readonly what: string,
    /** The world's own words about the cause and the remedy. */
    readonly words: { readonly cause?: string; readonly remedy?: string } = {},
  ) {}
}

/** A value, or why it is not known. */
export type Known<T> = T | Doubt;

/** An answer to a yes-or-no question. */
export interface Answer {
  readonly is: "yes" | "no" | "unknown";
  /** The names of what decides it; of an unknown answer, what may make it yes. */
  readonly witnesses: readonly string[];
  readonly doubt?: Doubt;
}

export const yes = (...witnesses: readonly string[]): Answer => ({ is: "yes", witnesses });
export const no = (...witnesses: readonly string[]): Answer => ({ is: "no", witnesses });
export const unknown = (doubt: Doubt, ...witnesses: readonly string[]): Answer => ({
  is: "unknown",
  witnesses,
  doubt,
});

/**
 * The first doubt; one that the change itself raises says more than one that was there before, and that
 * something is elsewhere says least.
 */
function doubtOf(answers: readonly Answer[]): Doubt | undefined {
  const doubts = present(answers.map(({ doubt }) => doubt));
  return (
    doubts.find(({ why }) => why === "later") ??
    doubts.find(({ why }) => why !== "open") ??
    doubts[0]
  );
}

/** True if all are: one that is not decides, then one that is not known. */
export function all(answers: readonly Answer[]): Answer {
  const denied = answers.find(({ is }) => is === "no");
  if (denied !== undefined) return denied;
  const witnesses = [...new Set(answers.flatMap((one) => one.witnesses))];
  const doubt = doubtOf(answers);
  return doubt === undefined ? yes(...witnesses) : unknown(doubt, ...witnesses);
}

/**
 * True if one is: one that is decides, then one that is not known.
 *
 * @param rest why there may be others; undefined if the answers are all
 */
export function any(answers: readonly Answer[], rest?: Doubt): Answer {
  const witnessesOf = (is: Answer["is"]) =>
    answers.filter((one) => one.is === is).flatMap(({ witnesses }) => witnesses);
  if (answers.some(({ is }) => is === "yes")) return yes(...witnessesOf("yes"));
  const doubt = doubtOf(answers) ?? rest;
  return doubt === undefined ? no() : unknown(doubt, ...witnessesOf("unknown"));
}

/** Judges a value; unknown if that is. */
export const judged = <T>(known: Known<T>, judge: (value: T) => Answer): Answer =>
  known instanceof Doubt ? unknown(known) : judge(known);

export const isTrue = (is: boolean): Answer => (is ? yes() : no());

/** Compares two names; unknown if one is. */
export function same(a: Known<string | undefined>, b: Known<string | undefined>): Answer {
  return judged(a, (one) =>
    judged(b, (other) => isTrue(one !== undefined && one.toLowerCase() === other?.toLowerCase())),
  );
}
