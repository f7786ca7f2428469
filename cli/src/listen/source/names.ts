import { createHash, randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";

/** The names of everything that `listen` creates begin with this. */
export const PREFIX = "cloud-eventgrid-listen-";

/** The person and the machine, for the label of an event subscription. */
export const owner = `${userName()}@${hostname()}`;

/** A container may run as a user without a name, for which Node throws. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

const ownerHash = createHash("sha256").update(owner).digest("hex").slice(0, 8);

/**
 * A name for an event subscription and its queue. It says who runs which process, because neither
 * queues nor the subscriptions of namespaces have labels. The latter have at most 50 characters.
 */
export function newName(pid = process.pid): string {
  return `${PREFIX}${ownerHash}-${pid}-${randomBytes(3).toString("hex")}`;
}

/**
 * - `ended`: a process of this person on this machine, which does not run any more
 * - `running`: one that runs
 * - `others`: of another person, or on another machine
 */
export type Origin = "ended" | "running" | "others";

/** The run of `listen` that created a name; undefined if it was not `listen`. */
export function originOf(name: string): Origin | undefined {
  const [hash, pid] = groupsOf(/^cloud-eventgrid-listen-([0-9a-f]{8})-(\d+)-[0-9a-f]{6}$/, name);
  if (hash === "") return undefined;
  if (hash !== ownerHash) return "others";
  return isRunning(Number(pid)) ? "running" : "ended";
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
