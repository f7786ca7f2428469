import type { Azure } from "../../azure/index.js";
import { present } from "../../collections.js";
import { type Target, targetVerdicts, type World } from "../../rules/index.js";
import { type Finding, type Findings, findings } from "../finding.js";
import { inWords } from "../words.js";

/** Whether undeliverable events can be kept. */
export async function checkDeadLetter(
  azure: Azure,
  world: World,
  target: Target | undefined,
  scope: string,
): Promise<Findings> {
  const finding = findings("dead-letter");
  if (typeof target?.place !== "string") {
    return finding.warning(
      "there is no dead-letter container: events that cannot be delivered are dropped",
      "set deadLetter on the binding",
    );
  }
  const verdicts = await targetVerdicts(world, "dead-letters", target, scope);
  const problems = present(verdicts.map((verdict) => inWords("dead-letter", verdict, azure)));
  const isKnown = ({ status }: Finding) => status !== "unknown";
  if (problems.length > 0) {
    return [...problems.filter(isKnown), ...problems.filter((one) => !isKnown(one))];
  }
  const name = target.place.split("/").at(-1);
  return finding.ok(`events that cannot be delivered go to the container ${name}`);
}
