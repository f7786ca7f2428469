import { type Azure, EVENT_GRID_API, textAt } from "../../azure/index.js";
import { sourceVerdicts, type World } from "../../rules/index.js";
import type { Findings } from "../finding.js";
import { inWords } from "../words.js";

/** The resource whose events arrive at a scope; undefined when a system topic cannot be read. */
export async function sourceOf(azure: Azure, scope: string): Promise<string | undefined> {
  if (!/\/systemTopics\/[^/]+$/i.test(scope)) return scope;
  return textAt((await azure.arm(scope, EVENT_GRID_API)).body, "properties", "source");
}

/** Whether what is at the scope raises events. */
export async function checkSource(
  azure: Azure,
  world: World,
  scope: string | undefined,
): Promise<Findings> {
  if (scope === undefined) return [];
  const verdicts = await sourceVerdicts(world, scope);
  return verdicts.flatMap((verdict) => inWords("scope", verdict, azure) ?? []);
}
