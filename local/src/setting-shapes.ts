import { isObject } from "./control-plane/json-fields.js";
import { Ingress, type IngressTable, type IngressTarget } from "./ingress.js";
import { flag, integer, matching, nothing, object, record, type Shape, text } from "./shape.js";

/** Shapes of settings that code and configuration files have in common. */

export const port = integer(0, 65_535);

export const uuid = matching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, "a UUID");

/** How Resource Manager and Graph behave, wherever they are served. */
export const controlPlane = {
  eventGridRegistered: flag,
  eventGridPrincipal: flag,
  roleAssignmentDelaySeconds: integer(0, 86_400),
  assignmentDeletionDelaySeconds: integer(0, 86_400),
  deployer: object({}, { clientId: text, secret: text }),
};

const detailedTarget = object({ target: text }, { rewrite: record(text) });

const ingressTarget: Shape<IngressTarget> = (value, place, problems) => {
  if (typeof value === "string") return value;
  if (isObject(value)) return detailedTarget(value, place, problems);
  return nothing("a URL, or an object with a target")(value, place, problems);
};

/** Public addresses and where they lead to; whether they are URLs, the ingress itself knows. */
export const ingress: Shape<IngressTable> = (value, place, problems) => {
  const table = record(ingressTarget)(value, place, problems);
  for (const [address, target] of Object.entries(table ?? {})) {
    try {
      new Ingress({ [address]: target });
    } catch (error) {
      problems.push(`${place}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return table;
};
