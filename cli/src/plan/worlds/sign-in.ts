import { type Answer, all, Doubt, isOneOf, no, UNKNOWN, unknown, yes } from "../../rules/index.js";
import { difference, type Leaf, leavesOf } from "../graph/index.js";
import {
  idOf,
  isConfigured,
  isPatch,
  type PlannedChange,
  type Side,
  same,
  typeOf,
} from "../terraform/index.js";
import { ACCESS_POLICY, CLUSTER, CREDENTIAL, ENTRA, identitiesOf, LOCATION } from "./identities.js";
import { LATER, type View } from "./resources.js";

/** Those who sign in know these attributes. */
const AGREED = [
  ...["issuer", "subject", "audience", "audiences", "claims_matching_expression", "password"],
];
const HOW = new Doubt("later", "how it signs in");

/**
 * A principal can sign in as it did if it is enabled, its application exists, and so does all that it signs
 * in with, because the plan does not say which credential is used.
 *
 * @see https://learn.microsoft.com/entra/workload-id/workload-identity-federation
 */
export function signIn(view: View, principal: string): Answer {
  const found = view.resources.signInsOf(principal);
  return all(found.map(({ change, name }) => remains(view, change, name)));
}

/**
 * A cluster goes on issuing the tokens that credentials trust; a new one has another issuer.
 *
 * @see https://learn.microsoft.com/azure/aks/use-oidc-issuer
 */
function isIssuing({ action, before }: PlannedChange, side: Side): boolean {
  if (side === before) return true;
  if (/delete/.test(action)) return false;
  const old = leavesOf(before);
  // What is switched on leaves the issuer as it is.
  const isLost = (leaf: Leaf) =>
    !leaf.path.startsWith("output") &&
    /issuer|workload_?identity/i.test(leaf.path) &&
    (old.includes(leaf) ? leaf.value !== false : leaf.value !== true);
  return !difference(old, leavesOf(side)).some(isLost);
}

/** Returns a policy that is enforced; undefined if it is disabled or only reports. */
const enforced = (side: Side) =>
  isOneOf(side?.state, "disabled", "enabledForReportingButNotEnforced") ? undefined : side;

function remains(view: View, change: PlannedChange, name: unknown): Answer {
  const { address, before, type } = change;
  const side = view.sideOf(change);
  const isEntra = ENTRA.test(type);
  const isCredential = CREDENTIAL.test(typeOf(change));
  const isPolicy = ACCESS_POLICY.test(type);
  if (side === undefined && (isPolicy || isPatch(change))) return yes();
  if (CLUSTER.test(typeOf(change)))
    return isIssuing(change, side) ? yes(address) : unknown(HOW, address);
  if (isPolicy || LOCATION.test(type))
    return same(enforced(before), enforced(side)) ? yes(address) : unknown(HOW, address);
  // A service that is gone signs in no more.
  if (side === undefined) return isCredential ? unknown(HOW, address) : isEntra ? no() : yes();
  if (side.account_enabled === false) return no();
  if (side.account_enabled === UNKNOWN) return unknown(LATER, address);
  const isComputed = (attribute: string) =>
    side[attribute] === UNKNOWN && !isConfigured(change, attribute, UNKNOWN);
  const isSame =
    isEntra || isCredential
      ? AGREED.every((each) => isComputed(each) || same(before?.[each], side[each]))
      : isComputed("identity") ||
        identitiesOf(side.identity)?.includes(name) ||
        leavesOf(side.identity).some((leaf) => idOf(leaf.value) === name);
  return isSame ? yes(address) : unknown(HOW, address);
}
