import type { Environment } from "./environment-reader.js";
import { ENVIRONMENT_FIELDS, VARIABLES, variableName } from "./environment-variables.js";
import type { BindingProblem } from "./problem.js";

/** Variables that say of themselves that they belong to a binding: others have common names. */
const TELLING = [VARIABLES.handshakePort, VARIABLES.path, VARIABLES.topicEndpoint];
/** As many prefixes are named. */
const MOST_NAMED = 3;

/**
 * Says which prefixes bindings are there under, when there is no variable at all under the one
 * that was asked for.
 */
export function otherPrefixHints(prefix: string, env: Environment): BindingProblem[] {
  const isSet = (name: string) => env[name] !== undefined && env[name] !== "";
  if (ENVIRONMENT_FIELDS.some((field) => isSet(variableName(prefix, field)))) return [];
  const found = new Set<string>();
  for (const name of Object.keys(env)) {
    for (const ending of TELLING) {
      const [other] = name.split(`_${ending}`, 1);
      if (isSet(name) && other !== undefined && name === `${other}_${ending}`) found.add(other);
    }
  }
  if (found.size === 0) return [];
  const names = [...found].slice(0, MOST_NAMED).map((other) => `${other}_…`);
  const message =
    `prefix is "${prefix}", for which no variable is set; those of a binding are there as ` +
    `${names.join(", ")}: is that the prefix?`;
  return [{ field: "prefix", rule: "environment-prefix", message }];
}
