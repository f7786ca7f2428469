import type { Attributes } from "../values/value.js";
import { type Problem, toProblem } from "./problem.js";
import type { ResourceType } from "./provider.js";
import { attributesWithoutUnknowns, settleAttributes } from "./settle.js";

/** What becomes of a resource: its new state (null: there is none), and what went wrong. */
export interface Outcome {
  readonly state: Attributes | null;
  readonly problems: readonly Problem[];
}

/**
 * Creates, updates or deletes, as prior and planned state say.
 *
 * A create that fails leaves no state, even where the cloud has kept something: the providers set
 * the ID last. An update that fails leaves the *planned* state, as their toolkit does; the next
 * refresh finds out what is true.
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

/** What the state is now, as far as the cloud knows. */
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
