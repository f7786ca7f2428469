import { isObject } from "./control-plane/json-fields.js";
import { isAdvancedFilter } from "./eventgrid/filters/filter-rules.js";
import { detailedTarget, Ingress, type IngressTable, type IngressTarget } from "./ingress.js";
import {
  custom,
  flag,
  integer,
  list,
  matching,
  nothing,
  object,
  oneOf,
  record,
  type Shape,
  text,
  variant,
} from "./shape.js";

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

/** What a topic may have beside its name. */
export const topicSettings = {
  resourceGroupName: text,
  location: text,
  accessKey: text,
  localAuthEnabled: flag,
  inputSchema: oneOf("CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema"),
};

/** What a webhook application may have beside its name. */
export const applicationSettings = {
  clientId: text,
  secret: text,
  tenantId: text,
  identifierUris: list(text),
  requestedAccessTokenVersion: oneOf(1, 2),
  roles: list(text),
};

/** What an event subscription may have, apart from what has bounds of its own. */
export const subscriptionSettings = {
  clientId: text,
  tenantId: text,
  filter: object(
    {},
    {
      includedEventTypes: list(text),
      subjectBeginsWith: text,
      subjectEndsWith: text,
      isSubjectCaseSensitive: flag,
      advancedFilters: list(custom(isAdvancedFilter, "an object with a key and an operatorType")),
      enableAdvancedFilteringOnArrays: flag,
    },
  ),
  deadLetter: object({ container: text }, { storageAccountId: text }),
  deliveryProperties: list(
    variant("type", {
      static: object({ type: oneOf("static"), name: text, value: text }, { secret: flag }),
      dynamic: object({ type: oneOf("dynamic"), name: text, sourceField: text }, {}),
    }),
  ),
  expiresAt: text,
  labels: list(text),
};

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
