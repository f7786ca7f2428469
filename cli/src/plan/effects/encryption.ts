import { type Finding, lost, named, unknown } from "../finding.js";
import {
  type Dependencies,
  type Graph,
  isDestroyed,
  type Leaf,
  leavesOf,
  type Node,
  partOf,
} from "../graph/index.js";
import {
  idOf,
  isChanging,
  isDescriptive,
  isPatch,
  oneOf,
  type PlannedChange,
  plain,
  typeOf,
  value,
} from "../terraform/index.js";
import { principalsOf } from "../worlds/index.js";
import { changedIn } from "./resources.js";

const KEY = oneOf("**keys?");
/** What a key can encrypt that deliveries depend on. */
const ENCRYPTED = oneOf("**(storage_?account|namespace)s?");
const USER_ASSIGNED = oneOf("**user_?assigned_?identity(_id)?");

/**
 * The effects of a change of a key, or of a right to it, on the accounts that it encrypts. Without the key,
 * blobs are not written; queues only if their key is that of the account.
 *
 * @see https://learn.microsoft.com/azure/storage/common/customer-managed-keys-overview
 */
export function encryptionFindings(
  change: PlannedChange,
  graph: Graph,
  { found }: Dependencies,
): Finding[] {
  const { action, before, address } = change;
  const own = partOf(change) ?? before?.scope ?? before?.id;
  const [vault, key] = [vaultIn(before?.key_vault_id ?? own), keyIn(own)];
  const isNew = action === "create" && !isPatch(change);
  if (vault === undefined || isNew || !isChanging(change)) return [];
  if (changedIn(change).every((name) => isDescriptive(name) || isMore(change, name))) return [];
  const isGone = KEY.test(typeOf(change)) && isDestroyed(change);
  const effects = [...found].flatMap(([each, needs]) => {
    const leaves = leavesOf(each.before);
    const keys = leaves.flatMap((leaf) =>
      plain(leaf.path).endsWith("keyname")
        ? String(leaf.value).toLowerCase()
        : (keyIn(leaf.value) ?? []),
    );
    const isOther = key !== undefined && keys.length > 0 && !keys.includes(key);
    if (isOther || !leaves.some((leaf) => vaultIn(leaf.value) === vault)) return [];
    if (!isGone && isOfOther(change, leaves, graph)) return [];
    const targets = needs.filter(
      ({ use }) => use === "target" && !/key_?vault/i.test(typeOf(each)),
    );
    return targets.map(({ check, by }): [Finding, readonly string[]] => {
      const message = isGone
        ? `it is destroyed, and the encryption of ${each.address} needs it`
        : `a right to the keys of ${vault} changes, which the encryption of ${each.address} needs`;
      return isGone && check === "dead-letters"
        ? [lost(check, "LOST", message), by]
        : [unknown(isGone ? check : "role", message), by];
    });
  });
  return named(effects, address);
}

/** Takes no use of a key away: a later expiry, or no fewer permissions or addresses. */
function isMore({ action, before, after }: PlannedChange, name: string): boolean {
  if (action !== "update") return false;
  const [old, next] = [before?.[name], after?.[name]];
  if (name === "expiration_date")
    return next == null || Date.parse(String(next)) > Date.parse(String(old));
  const ofKeys = leavesOf(old).filter(({ path }) => !/(secret|certificate|storage)_/.test(path));
  const kept = new Set(leavesOf(next).map(({ key }) => key));
  return (
    oneOf("(secret|certificate|storage)_permissions rotation_policy").test(name) ||
    (oneOf("access_policy key_permissions network_acls").test(name) &&
      ofKeys.every(({ key }) => kept.has(key)))
  );
}

/** True if a right is that of another identity than an account is encrypted with. */
function isOfOther({ before = {} }: PlannedChange, leaves: readonly Leaf[], graph: Graph) {
  const holder = String(value(before, "principal_id", "principalId", "object_id")).toLowerCase();
  const owners = graph.nodes.filter(({ change }) =>
    principalsOf(change, change.before).includes(holder),
  );
  const around = leaves.flatMap((leaf) => graph.namedBy(leaf)).flatMap(({ before }) => before);
  const attached = [...leaves, ...around].filter(({ path }) => oneOf("identity.*ids").test(path));
  const named = leaves.filter(
    ({ path }) => USER_ASSIGNED.test(path) && !path.startsWith("identity"),
  );
  const used = (named.length > 0 ? named : attached).map(({ value: id }) => String(idOf(id)));
  const isUsed = ({ ids, change }: Node) =>
    ids.some((id) => used.includes(id)) || (named.length === 0 && ENCRYPTED.test(typeOf(change)));
  return owners.length > 0 && !owners.some(isUsed);
}

/** The name of the key vault, or of the managed HSM, in an ID or a URL. */
function vaultIn(text: unknown): string | undefined {
  const [, id, host] =
    /\/Microsoft\.KeyVault\/\w*\/([^/]*)|^https:\/\/([^./]*)\.(?:vault|managedhsm)\./i.exec(
      String(text),
    ) ?? [];
  return (id ?? host)?.toLowerCase();
}

/** The name of the key in an ID or a URL. */
function keyIn(text: unknown): string | undefined {
  const isOfVault = vaultIn(text) !== undefined;
  return isOfVault ? /\/keys\/([^/]*)/i.exec(String(text))?.[1]?.toLowerCase() : undefined;
}
