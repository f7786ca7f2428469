import { readFileSync } from "node:fs";
import { LocalCloudError, withProblems } from "../errors.js";
import { isScope } from "../eventgrid/scope.js";
import { withoutQuery } from "../eventgrid/subscriptions/index.js";
import { SUBSCRIPTION_NAME } from "../eventgrid/subscriptions/subscription-rules.js";
import { TOPIC_NAME } from "../eventgrid/topics/topics.js";
import {
  applicationSettings,
  controlPlane,
  ingress,
  port,
  subscriptionSettings,
  topicSettings,
  uuid,
} from "../setting-shapes.js";
import {
  custom,
  either,
  flag,
  integer,
  list,
  matching,
  object,
  oneOf,
  type Read,
  type Shape,
  text,
} from "../shape.js";

const topicName = matching(TOPIC_NAME, "3 to 50 letters, digits or hyphens");
const subscriptionName = matching(SUBSCRIPTION_NAME, "3 to 64 letters, digits or hyphens");

const scopeId = custom(
  (value): value is string => typeof value === "string" && isScope(value),
  "/subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name} or the ID of a resource",
);

const webhookUrl: Shape<string> = (value, place, problems) => {
  if (typeof value !== "string") return text(value, place, problems);
  if (URL.canParse(value) && new URL(value).protocol === "https:") return value;
  problems.push(`${place} must be an https URL, not ${JSON.stringify(withoutQuery(value))}`);
  return undefined;
};

const tenant = object({ tenantId: text }, {});

const person = object(
  { objectId: text, type: oneOf("User", "Group") },
  { displayName: text, tenantId: text },
);

const application = object(
  { displayName: text },
  {
    ...applicationSettings,
    azureRoles: list(object({ role: text, scope: text }, {})),
    graphPermissions: list(text),
  },
);

const topic = object({ name: topicName }, topicSettings);

const eventSubscription = object(
  { name: subscriptionName, scope: scopeId, endpointUrl: webhookUrl },
  {
    ...subscriptionSettings,
    retryPolicy: object(
      {},
      { maxDeliveryAttempts: integer(1, 30), eventTimeToLiveInMinutes: integer(1, 1440) },
    ),
    batching: object(
      {},
      { maxEventsPerBatch: integer(1, 5000), preferredBatchSizeInKilobytes: integer(1, 1024) },
    ),
  },
);

const control = object({}, controlPlane);

const configuration = object(
  {},
  {
    tenantId: uuid,
    subscriptionId: uuid,
    port,
    httpsPort: port,
    directory: text,
    deadLetterDirectory: text,
    clock: either(oneOf("real"), object({ scale: integer(1, 100_000) }, {})),
    ingress,
    control: either(flag, control),
    tenants: list(tenant),
    people: list(person),
    applications: list(application),
    topics: list(topic),
    eventSubscriptions: list(eventSubscription),
  },
);

/** What a cloud starts with, as a configuration file has it. */
export type Configuration = Read<typeof configuration>;

/** A declaration that may be unfit, with the place and the reason of each problem. */
export class ConfigurationError extends LocalCloudError {
  override readonly name = "ConfigurationError";

  constructor(
    source: string,
    readonly problems: readonly string[],
  ) {
    super("ERR_CONFIGURATION", withProblems(`${source} cannot be used`, problems));
  }
}

/** @throws ConfigurationError that names every problem */
export function readConfiguration(file: string): Configuration {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigurationError(file, [error instanceof Error ? error.message : String(error)]);
  }
  return checkConfiguration(json, file);
}

/**
 * @param problems what is wrong with the same source already
 * @throws ConfigurationError that names every problem
 */
export function checkConfiguration(
  json: unknown,
  source: string,
  problems: string[] = [],
): Configuration {
  const read = configuration(json, "", problems);
  if (read === undefined || problems.length > 0) throw new ConfigurationError(source, problems);
  return read;
}
