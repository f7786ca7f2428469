import { type Azure, at } from "../../azure/index.js";
import { present } from "../../collections.js";
import { includedTypes } from "../../rules/filters/index.js";
import { clientNetwork, Doubt, ownerOf, sourceVerdicts, type World } from "../../rules/index.js";
import type { Findings } from "../finding.js";
import { inWords } from "../words.js";
import { judgeProvisioning } from "./endpoint.js";
import type { EventSubscription } from "./event-subscription.js";

/** Whether what is at the scope raises events. */
export async function checkSource(
  azure: Azure,
  world: World,
  scope: string | undefined,
  subscription: Pick<EventSubscription, "properties"> | undefined,
): Promise<Findings> {
  if (scope === undefined) return [];
  const types = includedTypes(at(subscription?.properties, "filter"));
  const verdicts = await sourceVerdicts(world, scope, types);
  const said = present(verdicts.map((verdict) => inWords("scope", verdict, azure)));
  const owner = ownerOf(scope);
  const topic = owner && (await world.resource(owner));
  if (!topic || topic instanceof Doubt) return said;
  const what = `the ${owner === scope ? "topic" : "domain"} ${owner}`;
  const { status, facts, ...network } = await clientNetwork(world, topic);
  const closed = { ...network, status, facts: { ...facts, what, doing: "publish to" } };
  return [
    ...said,
    ...judgeProvisioning("scope", what, topic.body),
    ...(status === "failed" ? present([inWords("scope", closed, azure)]) : []),
  ];
}
