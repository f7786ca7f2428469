import type { Account } from "../cloud/account.js";
import { type Attributes, withoutUnknowns } from "../values/value.js";
import { settle } from "./plan.js";
import { type ResourceType, UnfinishedCreation } from "./provider.js";

/** The new state of a resource (`null` if it does not exist), and why the operation failed. */
export interface Outcome {
  readonly state: Attributes | null;
  readonly error?: unknown;
}

/**
 * Creates, updates or deletes, depending on the prior and the planned state.
 *
 * A failed create leaves no state, even if the cloud has kept something, because most providers set
 * the ID last (see {@link UnfinishedCreation}). A failed update leaves the *planned* state, as the providers' toolkit does; the next
 * refresh corrects it.
 */
export async function apply(
  type: ResourceType,
  prior: Attributes | null,
  planned: Attributes | null,
  account: Account,
): Promise<Outcome> {
  if (planned === null) {
    try {
      if (prior !== null) await type.delete(prior, account);
      return { state: null };
    } catch (error) {
      return { state: prior, error };
    }
  }
  try {
    const learnt =
      prior === null
        ? await type.create(planned, account)
        : await type.update?.(prior, planned, account);
    return { state: withoutUnknowns(settle(planned, learnt ?? {})) };
  } catch (error) {
    const kept = error instanceof UnfinishedCreation ? error.state : prior && planned;
    return { state: kept && withoutUnknowns(kept), error };
  }
}

/** Reads the current state from the cloud; `null` if the resource is gone. */
export async function refresh(
  type: ResourceType,
  state: Attributes,
  account: Account,
): Promise<Attributes | null> {
  const learnt = await type.read(state, account);
  return learnt === undefined ? null : settle(state, learnt);
}
