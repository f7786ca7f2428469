import type { Attributes } from "../values/value.js";
import { type Problem, toProblem } from "./problem.js";
import type { ResourceType } from "./provider.js";
import { attributesWithoutUnknowns, settleAttributes } from "./settle.js";

/** The new state of a resource (`null` if it does not exist), and the problems. */
export interface Outcome {
  readonly state: Attributes | null;
  readonly problems: readonly Problem[];
}

/**
 * Creates, updates or deletes, depending on the prior and the planned state.
 *
 * A failed create leaves no state, even if the cloud has kept something, because the providers set
 * the ID last. A failed update leaves the *planned* state, as the providers' toolkit does; the next
 * refresh corrects it.
 */
export async function apply<Account>(
  type: ResourceType<Account>,
  prior: Attributes | null,
  planned: Attributes | null,
  account: Account,
): Promise<Outcome> {
  if (planned === null) return destroy(type, prior, account);
  try {
    const learnt = await (prior === null
      ? type.create(planned, account)
      : update(type, prior, planned, account));
    return done(attributesWithoutUnknowns(settleAttributes(planned, learnt)));
  } catch (error) {
    const state = prior === null ? null : attributesWithoutUnknowns(planned);
    return { state, problems: [toProblem(error)] };
  }
}

/** Reads the current state from the cloud; `null` if the resource is gone. */
export async function refresh<Account>(
  type: ResourceType<Account>,
  state: Attributes,
  account: Account,
): Promise<Attributes | null> {
  const learnt = await type.read(state, account);
  return learnt === undefined ? null : settleAttributes(state, learnt);
}

function update<Account>(
  type: ResourceType<Account>,
  prior: Attributes,
  planned: Attributes,
  account: Account,
): Promise<Attributes> {
  if (type.update === undefined) throw new Error("this resource cannot be updated, only replaced");
  return type.update(prior, planned, account);
}

async function destroy<Account>(
  type: ResourceType<Account>,
  prior: Attributes | null,
  account: Account,
): Promise<Outcome> {
  try {
    if (prior !== null) await type.delete(prior, account);
    return done(null);
  } catch (error) {
    return { state: prior, problems: [toProblem(error)] };
  }
}

function done(state: Attributes | null): Outcome {
  return { state, problems: [] };
}
