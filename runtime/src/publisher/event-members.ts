import type { Problem } from "./encode-event.js";

/** What an event has, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** Those that a class may give with a getter, where its instances do not have them themselves. */
const INHERITED = ["specversion", "id", "type", "time", "data"] as const;

/** Reads an event once; `undefined` where one of its getters, or its proxy, throws. */
export function eventMembers(event: object): Members | undefined {
  try {
    const members: Record<string, unknown> = { ...event };
    for (const name of INHERITED) {
      if (!(name in members) && name in event) members[name] = Reflect.get(event, name);
    }
    return members;
  } catch {
    return undefined;
  }
}

/** Which members throw. What they throw is not told: it may hold what they guard. */
export function unreadableMembers(event: object): Problem[] {
  const own = attempt(() => Object.keys(event));
  const names = own === undefined ? [] : [...new Set([...own, ...INHERITED])];
  const thrown = names.filter(
    (name) => attempt(() => ({ read: Reflect.get(event, name) })) === undefined,
  );
  const paths = thrown.length === 0 ? [""] : thrown;
  return paths.map((path) => ({ path, message: `${path || "the event"} throws when it is read` }));
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
