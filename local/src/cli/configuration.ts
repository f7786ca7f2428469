import { readFileSync } from "node:fs";
import { LocalCloudError } from "../errors.js";
import { isAdvancedFilter } from "../resource-manager/event-subscription-body.js";
import {
  custom,
  either,
  flag,
  integer,
  list,
  object,
  oneOf,
  type Read,
  record,
  text,
  variant,
} from "./shape.js";

const port = integer(0, 65_535);

const tenant = object({ tenantId: text }, {});

const person = object(
  { objectId: text, type: oneOf("User", "Group") },
  { displayName: text, tenantId: text },
);

const application = object(
  { displayName: text },
  {
    clientId: text,
    secret: text,
    tenantId: text,
    identifierUris: list(text),
    requestedAccessTokenVersion: oneOf(1, 2),
    roles: list(text),
    azureRoles: list(object({ role: text, scope: text }, {})),
    graphPermissions: list(text),
  },
);

const topic = object(
  { name: text },
  {
    resourceGroupName: text,
    location: text,
    accessKey: text,
    localAuthEnabled: flag,
    inputSchema: oneOf("CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema"),
  },
);

const eventSubscription = object(
  { name: text, scope: text, endpointUrl: text },
  {
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
    retryPolicy: object(
      {},
      { maxDeliveryAttempts: integer(1, 30), eventTimeToLiveInMinutes: integer(1, 1440) },
    ),
    batching: object(
      {},
      { maxEventsPerBatch: integer(1, 5000), preferredBatchSizeInKilobytes: integer(1, 1024) },
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
  },
);

const control = object(
  {},
  {
    eventGridRegistered: flag,
    eventGridPrincipal: flag,
    roleAssignmentDelaySeconds: integer(0, 86_400),
    deployer: object({}, { clientId: text, secret: text }),
  },
);

const configuration = object(
  {},
  {
    tenantId: text,
    subscriptionId: text,
    port,
    httpsPort: port,
    directory: text,
    deadLetterDirectory: text,
    clock: either(oneOf("real"), object({ scale: integer(1, 100_000) }, {})),
    ingress: record(either(text, object({ target: text }, { rewrite: record(text) }))),
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
    super(
      "ERR_CONFIGURATION",
      `${source} cannot be used:\n${problems.map((each) => `  - ${each}`).join("\n")}`,
    );
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

/** @throws ConfigurationError that names every problem */
export function checkConfiguration(json: unknown, source: string): Configuration {
  const problems: string[] = [];
  const read = configuration(json, "", problems);
  if (read === undefined || problems.length > 0) throw new ConfigurationError(source, problems);
  return read;
}
