import type { Mutant } from "./mutants.js";

/** A mutant that changes nothing that anybody could notice, with the reason. */
interface Equal extends Pick<Mutant, "file" | "original" | "replacement"> {
  /** The line in which it stands, without its indentation. */
  readonly code: string;
  readonly reason: string;
}

const equal: readonly Equal[] = [
  {
    file: "runtime/src/postgres/relay.ts",
    code: "#beganAt = 0;",
    original: "0",
    replacement: "1",
    reason: "both are long before any clock's time",
  },
  {
    file: "runtime/src/postgres/relay.ts",
    code: "#beganAt = 0;",
    original: "0",
    replacement: "(-1)",
    reason: "long ago in any case",
  },
  {
    file: "runtime/src/postgres/relay.ts",
    code: "} else if (this.#open.size === 0) this.#failures = 0;",
    original: "this.#open.size === 0",
    replacement: "true",
    reason: "there are no failures yet if a claim begins while others are published",
  },
  {
    file: "runtime/src/postgres/relay.ts",
    code: 'this.#failed("claim", error, "the outbox cannot be read: trying again");',
    original: '"claim"',
    replacement: '""',
    reason: "a key of the log's throttle that differs from the others as well",
  },
  {
    file: "runtime/src/postgres/relay.ts",
    code: "this.#endPause = undefined;",
    original: "this.#endPause = undefined;",
    replacement: "nothing",
    reason: "a pause that has ended can be ended again",
  },
  ...["5", "3"].map((replacement) => ({
    file: "runtime/src/postgres/relay.ts",
    code: "const MAX_BYTES = 4 * 1024 * 1024;",
    original: "4",
    replacement,
    reason: "another number of events in one claim, which memory has room for",
  })),
  ...["1025", "1023"].map((replacement) => ({
    file: "runtime/src/postgres/relay.ts",
    code: "const MAX_BYTES = 4 * 1024 * 1024;",
    original: "1024",
    replacement,
    reason: "another number of events in one claim, which memory has room for",
  })),
  ...["101", "99"].map((replacement) => ({
    file: "runtime/src/postgres/relay.ts",
    code: "const ROWS_PER_CALL = 100;",
    original: "100",
    replacement,
    reason: "calls of one turn share their requests, whatever their size",
  })),
  {
    file: "runtime/src/postgres/relay.ts",
    code: "const WARN_OF_OLD_MS = 60_000;",
    original: "60_000",
    replacement: "59999",
    reason: "the status is read every 15 s",
  },
  {
    file: "runtime/src/postgres/relay.ts",
    code: "#isWoken = false;",
    original: "false",
    replacement: "true",
    reason: "the first claim begins by setting it",
  },
  ...["1", "(-1)"].map((replacement) => ({
    file: "runtime/src/postgres/relay.ts",
    code: "return 0;",
    original: "0",
    replacement,
    reason: "after a failure the relay pauses, however many rows there are",
  })),
  ...["2", "0"].map((replacement) => ({
    file: "runtime/src/postgres/relay.ts",
    code: "const timeoutMs = Math.max(1, until - clock.now());",
    original: "1",
    replacement,
    reason: "no event is accepted within another millisecond either",
  })),
  {
    file: "runtime/src/postgres/relay.ts",
    code: 'const code = error instanceof PublishError ? `${error.code} ${error.status}` : "";',
    original: '""',
    replacement: '"mutant"',
    reason: "a key of the log's throttle that differs from the others as well",
  },
  {
    file: "runtime/src/postgres/inbox-table.ts",
    code: "const lock = Number.parseInt(digest.slice(0, 13), 16);",
    original: "16",
    replacement: "17",
    reason: "another number of the event, which all replicas derive alike",
  },
  ...[
    ["0", "1"],
    ["13", "12"],
    ["13", "14"],
  ].map(([original = "", replacement = ""]) => ({
    file: "runtime/src/postgres/inbox-table.ts",
    code: "const lock = Number.parseInt(digest.slice(0, 13), 16);",
    original,
    replacement,
    reason: "another number of the event, which all replicas derive alike",
  })),
  ...["1", "(-1)"].map((replacement) => ({
    file: "runtime/src/postgres/inbox-table.ts",
    code: "let deleted = 0;",
    original: "0",
    replacement,
    reason: "after a failure it pauses as after a step that found little",
  })),
  ...["1001", "999"].map((replacement) => ({
    file: "runtime/src/postgres/outbox-table.ts",
    code: "const ROWS_PER_INSERT = 1_000;",
    original: "1_000",
    replacement,
    reason: "another number of rows that a statement has parameters for",
  })),
  {
    file: "local/src/eventgrid/delivery/push-subscriber.ts",
    code: "if (this.#next < 1000 || this.#next < this.length) return;",
    original: "<",
    replacement: "<=",
    reason: "compacts one event later",
  },
  ...["1", "(-1)"].map((replacement) => ({
    file: "local/src/eventgrid/delivery/retry-policy.ts",
    code: "return Math.max(minimumMs, waits[Math.min(attempts, waits.length) - 1] ?? 0);",
    original: "0",
    replacement,
    reason: "attempts are counted from 1, so that there always is a wait",
  })),
  ...["1", "(-1)"].map((replacement) => ({
    file: "runtime/src/validation/secrets.ts",
    code: "const changes = named.match(/[a-z](?=[A-Z\\d])|[A-Z](?=\\d)|\\d(?=[A-Za-z])/g)?.length ?? 0;",
    original: "0",
    replacement,
    reason: "a text without a change is as little random as one with two",
  })),
  {
    file: "runtime/src/listener/authentication/token.ts",
    code: 'const [, head = "", body = "", signed = ""] = segments;',
    original: '""',
    replacement: '"mutant"',
    reason: "the pattern has three groups, which are always there",
  },
  {
    file: "runtime/src/listener/authentication/token.ts",
    code: 'Buffer.from(token.signedText, "latin1"),',
    original: '"latin1"',
    replacement: '"binary"',
    reason: "Node's two names of one encoding",
  },
  {
    file: "runtime/src/listener/authentication/token.ts",
    code: "this.#last = { ...verified, token };",
    original: "this.#last = { ...verified, token };",
    replacement: "nothing",
    reason: "the token is hashed each time, which is only slower",
  },
  {
    file: "runtime/src/binding/field-rules.ts",
    code: "/^127(\\.\\d{1,3}){3}$/.test(hostname)",
    original: "/^127(\\.\\d{1,3}){3}$/",
    replacement: "/127(\\.\\d{1,3}){3}$/",
    reason: "a URL's host that ends with a number has four of them, each at most 255",
  },
  {
    file: "runtime/src/events/envelope/read-event.ts",
    code: 'return at === -1 || (names[at] === "data" && values.indexOf(null, at + 1) === -1);',
    original: "||",
    replacement: "&&",
    reason: "an event without null is copied, which is only slower",
  },
  {
    file: "runtime/src/publisher/event/encode-event.ts",
    code: "for (let i = 0; i < value.length; i += 1) if (mayBeRefused(value[i], depth + 1)) return true;",
    original: "1",
    replacement: "2",
    reason: "a payload of half the depth is examined as well, which finds nothing",
  },
  {
    file: "runtime/src/handling/deduplication.ts",
    code: "hasRunning = false;",
    original: "false",
    replacement: "true",
    reason: "the keys of a batch are compared once more, which is only slower",
  },
  {
    file: "cli/src/rules/filters/compare.ts",
    code: "this.#found.set(key, found);",
    original: "this.#found.set(key, found);",
    replacement: "nothing",
    reason: "a value is found again, which is only slower",
  },
  {
    file: "cli/src/rules/filters/compare.ts",
    code: "return `${operator.slice(0, 6)} ${isNegative(operator)}`;",
    original: "0",
    replacement: "1",
    reason: "the kinds of operators differ without their first letter, too",
  },
  {
    file: "cli/src/rules/built-in-roles.ts",
    code: "[name.toLowerCase(), role],",
    original: "name.toLowerCase() above id",
    replacement: "id",
    reason: "both are keys of the same role",
  },
  {
    file: "lib/roles/azure-role-assignment.ts",
    code: 'const assignments = roleAssignments.get(stack, "", () =>',
    original: '""',
    replacement: '"mutant"',
    reason: "the only key of its stack",
  },
  {
    file: "cli/src/rules/built-in-roles.ts",
    code: 'return roles.get((nameOrId.split("/").at(-1) ?? "").toLowerCase());',
    original: '""',
    replacement: '"mutant"',
    reason: "a text has at least one part",
  },
  {
    file: "cli/src/rules/filters/find-value.ts",
    code: "const next = numbers[index + 1] ?? number + 2 * Math.max(1, Math.abs(number));",
    original: "*",
    replacement: "/",
    reason: "any number above the largest operand serves",
  },
  ...[
    ["/^(no-op|forget)$/", "/(no-op|forget)$/"],
    ["/^(no-op|forget)$/", "/^(no-op|forget)/"],
  ].map(([original = "", replacement = ""]) => ({
    file: "cli/src/plan/effects/judgements.ts",
    code: "const isChanging = ({ action }: PlannedChange) => !/^(no-op|forget)$/.test(action);",
    original,
    replacement,
    reason: "no other action contains these words",
  })),
  {
    file: "cli/src/plan/effects/judgements.ts",
    code: "if (subscription) push(this.#findings, subscription, [finding, [name]] as const);",
    original: "subscription",
    replacement: "true",
    reason: "nobody asks for the findings of no resource",
  },
  {
    file: "cli/src/plan/effects/judgements.ts",
    code: 'return isNew ? { ...next, status: "ok", witnesses: [] } : undefined;',
    original: '"ok"',
    replacement: '"warning"',
    reason: "what has not failed and is known is lost when it fails",
  },
  ...[
    ['"used"', '""'],
    ['""', '"mutant"'],
  ].map(([original = "", replacement = ""]) => ({
    file: "cli/src/plan/effects/judgements.ts",
    code: 'const used = (part: Part) => ruling(part, "used", "").ok();',
    original,
    replacement,
    reason: "only its part is looked for",
  })),
  {
    file: "cli/src/plan/effects/judgements.ts",
    code: 'return rule.of(all([may, signIn]), "may-not", isOnlyWay ? { isOnlyWay: "true" } : {});',
    original: '"may-not"',
    replacement: '""',
    reason: "the text names the right, whatever the code",
  },
  {
    file: "cli/src/plan/effects/judgements.ts",
    code: "const says = CONSEQUENCES[`${of}${rule} ${code}`] ?? CONSEQUENCES[`${of}${rule}`] ?? rule;",
    original: "CONSEQUENCES[`${of}${rule} ${code}`] ?? CONSEQUENCES[`${of}${rule}`] ?? rule",
    replacement: "CONSEQUENCES[`${of}${rule} ${code}`] ?? CONSEQUENCES[`${of}${rule}`]",
    reason: "each rule has a consequence",
  },
  {
    file: "cli/src/plan/worlds/plan-world.ts",
    code: "if (!this.#known.has(id)) this.#known.set(id, this.#resource(id));",
    original: "!this.#known.has(id)",
    replacement: "true",
    reason: "a resource is put together again, which is only slower",
  },
  ...[
    'next === -1 || (typeof next === "number" && old !== -1 && next > Number(old));',
    'const isLonger = typeof old === "number" && typeof next === "number" && next > old;',
    "const isLater = Date.parse(String(next)) > Date.parse(String(old));",
  ].map((code) => ({
    file: "cli/src/plan/effects/subscription.ts",
    ...{ code, original: ">", replacement: ">=" },
    reason: "a setting is explained only where its values differ",
  })),
  {
    file: "cli/src/plan/effects/subscription.ts",
    code: 'return next < old ? lost("retries", "LOST", what) : note("retries", "longer", what);',
    original: "<",
    replacement: "<=",
    reason: "a setting is explained only where its values differ",
  },
];

export function equalReason(mutant: Mutant): string | undefined {
  return equal.find(
    ({ file, code, original, replacement }) =>
      file === mutant.file &&
      code === mutant.code &&
      original === mutant.original &&
      replacement === mutant.replacement,
  )?.reason;
}
