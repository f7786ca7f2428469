import { type Answer, Doubt } from "./answers.js";
import { brokenState } from "./values.js";
import type { Resource } from "./world.js";

export type Part = "dead-letters" | "destination" | "application" | "publishers" | "source";

/** The rules about the application of a webhook. */
type ApplicationRule =
  | "application"
  | "service-principal"
  | "event-grid-principal"
  | "app-role"
  | "app-role-assignment";

/** The rules about the other parts; of clients, each right is a rule. */
type ResourceRule =
  | "used"
  | "exists"
  | "status"
  | "identity"
  | "role"
  | `role ${string}`
  | "keys"
  | "network"
  | "audience";

/** The rules about what a source is. */
export type SourceRule = "kind" | "tier" | "mode" | "hierarchy" | "activation";

export type RuleName = ApplicationRule | ResourceRule | SourceRule;

/** The answer of one rule. Words belong to the command. */
export interface Verdict {
  readonly part: Part;
  readonly rule: RuleName;
  readonly status: "ok" | "warning" | "failed" | "unknown";
  /** The fault; the rule's name if there is none. */
  readonly code: string;
  /** IDs and names for the words. */
  readonly facts: Facts;
  /** The names of what decides it. */
  readonly witnesses: readonly string[];
  readonly doubt?: Doubt | undefined;
  /** Two verdicts of one rule can be compared if this is the same. */
  readonly subject: string;
}

export type Facts = Readonly<Record<string, string>>;

/** Judges whether Azure has made a resource, and keeps it. */
export function whole({ id, body, witnesses }: Resource, rule: ReturnType<typeof ruling>): Verdict {
  const state = brokenState(body);
  return state ? rule.failed("broken", witnesses, { broken: id, state }) : rule.ok(witnesses);
}

/** Makes the verdicts of one rule. */
export function ruling(part: Part, rule: RuleName, subject: string, facts: Facts = {}) {
  const made =
    (status: Verdict["status"]) =>
    (code: string, witnesses: readonly string[] = [], more: Facts = {}): Verdict => ({
      part,
      rule,
      status,
      code,
      facts: { ...facts, ...more },
      witnesses,
      subject,
    });
  return {
    ok: (witnesses?: readonly string[], more?: Facts) => made("ok")(rule, witnesses, more),
    warning: made("warning"),
    failed: made("failed"),
    unknown: (doubt: Doubt, witnesses?: readonly string[], more?: Facts): Verdict => ({
      ...made("unknown")(rule, witnesses, more),
      doubt,
    }),
    /** What decides it is known only after the change. */
    later(what: string, witnesses?: readonly string[]): Verdict {
      return this.unknown(new Doubt("later", what), witnesses);
    },
    /** The verdict of an answer: `code` says what is wrong if it is no. */
    of({ is, witnesses, doubt }: Answer, code: string, more?: Facts): Verdict {
      if (doubt !== undefined) return this.unknown(doubt, witnesses, more);
      return is === "yes" ? this.ok(witnesses, more) : made("failed")(code, witnesses, more);
    },
  };
}
