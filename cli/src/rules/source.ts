import { Doubt } from "./answers.js";
import { get, UNKNOWN } from "./values.js";
import { ruling, type Verdict } from "./verdict.js";
import type { World } from "./world.js";

/**
 * Storage accounts raise events, except those of general-purpose v1 and of files.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage
 */
export async function sourceVerdicts(world: World, source: string): Promise<Verdict[]> {
  if (!/\/Microsoft\.Storage\/storageAccounts\/[^/]+$/i.test(source)) return [];
  const rule = ruling("source", "kind", source, { source });
  const account = await world.resource(source);
  if (account instanceof Doubt) return [rule.unknown(account)];
  if (account === undefined) return [];
  const kind = get(account.body, "kind");
  if (kind === UNKNOWN) return [rule.unknown(new Doubt("later", "its kind"), account.witnesses)];
  return /^(Storage|FileStorage)$/i.test(String(kind))
    ? [rule.failed("wrong-kind", account.witnesses, { kind: String(kind) })]
    : [rule.ok(account.witnesses)];
}
