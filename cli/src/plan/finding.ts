/**
 * The effect of a change on events.
 *
 * - `lost`: events are lost, or no longer arrive
 * - `unknown`: events may be lost; the plan does not say
 * - `none`: no event is lost
 */
export type Effect = "lost" | "unknown" | "none";

/** The names of all rules. */
type Check =
  | "types"
  | "destroyed"
  | "replaced"
  | "handshake"
  | "destination"
  | "schema"
  | "batching"
  | "dead-letters"
  | "retries"
  | "expiry"
  | "headers"
  | "identity"
  | "role"
  | "publishers"
  | "plan";

/** One effect of a plan. */
export interface Finding {
  /** Name of the rule; stable across releases, and a value of `--allow`. */
  readonly check: Check;
  readonly effect: Effect;
  /** One word for the report. */
  readonly label: string;
  /** The event type that it is about; missing when it is about all. */
  readonly eventType?: string;
  readonly message: string;
  readonly remedy?: string | undefined;
  /** Recorded events of the type: how many are delivered before and after, how many no longer are, and all. */
  readonly counts?: Counts;
  /** An event that is lost: its fields, such as `data.total`. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Whether `--allow` accepts it. */
  readonly isAllowed?: true;
}

export interface Counts {
  readonly before: number;
  readonly after: number;
  readonly lost: number;
  /** All recorded events of the scope. */
  readonly total: number;
}

/** The effects on one resource of the plan. */
export interface ResourceReport {
  readonly name: string;
  readonly address: string;
  readonly findings: readonly Finding[];
}

const RANK: readonly Effect[] = ["none", "unknown", "lost"];

/** Findings that say the same about several subscriptions, as one with the worst effect that names them. */
export function named(
  found: Iterable<readonly [finding: Finding, by: readonly string[]]>,
  address: string,
): Finding[] {
  const all = new Map<string, { finding: Finding; by: Set<string> }>();
  for (const [finding, names] of found) {
    const key = `${finding.check} ${finding.message}`;
    const known = all.get(key) ?? { finding, by: new Set() };
    const isWorse = RANK.indexOf(finding.effect) > RANK.indexOf(known.finding.effect);
    for (const name of names) known.by.add(name);
    all.set(key, isWorse ? { ...known, finding } : known);
  }
  return [...all.values()].map(({ finding, by }) => {
    const needing = [...by].filter((name) => name !== address);
    const of = needing.length > 0 ? ` (needed by ${needing.join(", ")})` : "";
    return { ...finding, message: `${finding.message}${of}` };
  });
}

/** A finding without a loss. */
export function note(check: Finding["check"], label: string, message: string): Finding {
  return { check, effect: "none", label, message };
}

/** A finding that may be a loss, which the plan does not tell. */
export function unknown(check: Finding["check"], message: string, remedy?: string): Finding {
  return { check, effect: "unknown", label: "unknown", message, remedy };
}

/** A finding that loses events. */
export function lost(
  check: Finding["check"],
  label: string,
  message: string,
  remedy?: string,
): Finding {
  return { check, effect: "lost", label, message, remedy };
}
