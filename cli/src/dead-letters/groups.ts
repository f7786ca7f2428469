import { aligned } from "../terminal/index.js";
import { type DeadLetter, timeOf, typeOf } from "./dead-letter.js";
import type { SelectedBlob } from "./selection.js";

export type Grouping = "day" | "hour" | "reason" | "type" | "subscription" | "outcome";

/** Dead letters with the same values of the properties that they are grouped by. */
export interface Group {
  readonly key: Readonly<Partial<Record<Grouping, string>>>;
  count: number;
  replayed: number;
  first: string;
  last: string;
}

const KEYS: Readonly<Record<Grouping, (letter: DeadLetter) => string>> = {
  day: (letter) => timeOf(letter).slice(0, 10),
  hour: (letter) => timeOf(letter).slice(0, 13),
  reason: ({ reason }) => reason,
  type: typeOf,
  subscription: ({ subscription }) => subscription,
  outcome: ({ lastDeliveryOutcome }) => lastDeliveryOutcome ?? "",
};

export async function countGroups(
  blobs: AsyncIterable<SelectedBlob>,
  groupings: readonly Grouping[],
): Promise<Groups> {
  const groups = new Groups(groupings);
  for await (const { letters } of blobs) {
    for (const letter of letters) groups.add(letter);
  }
  return groups;
}

class Groups {
  readonly #groups = new Map<string, Group>();

  constructor(private readonly groupings: readonly Grouping[]) {}

  add(letter: DeadLetter): void {
    const key = Object.fromEntries(this.groupings.map((name) => [name, KEYS[name](letter)]));
    const text = JSON.stringify(key);
    const time = timeOf(letter);
    const group = this.#groups.get(text) ?? { key, count: 0, replayed: 0, first: time, last: time };
    this.#groups.set(text, group);
    group.count += 1;
    if (letter.replayed) group.replayed += 1;
    if (time < group.first) group.first = time;
    if (time > group.last) group.last = time;
  }

  /** The groups in the order of their keys. */
  list(): readonly Group[] {
    return [...this.#groups.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, group]) => group);
  }

  get total(): number {
    return this.list().reduce((sum, { count }) => sum + count, 0);
  }

  table(): string {
    const head = [...this.groupings, "count", "replayed", "first", "last"];
    const rows = this.list().map(({ key, count, replayed, first, last }) => [
      ...this.groupings.map((name) => String(key[name])),
      `${count}`,
      `${replayed}`,
      first,
      last,
    ]);
    return `${aligned([head, ...rows]).join("\n")}\n`;
  }
}
