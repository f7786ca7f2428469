import { readFileSync } from "node:fs";
import * as v from "valibot";
import { azuriteOptions } from "../azurite/index.js";
import {
  fields,
  flag,
  integer,
  LocalCloudError,
  list,
  oneOf,
  optionalFields,
  port,
  problemsOf,
  text,
  uuid,
  withProblems,
} from "../base/index.js";
import { controlPlaneSettings } from "../control-plane/index.js";
import { applicationSettings } from "../directory/index.js";
import { namespaceSchema, subscriptionSchema, topicSchema } from "../eventgrid/index.js";
import { functionApps, ingressTable } from "../network/index.js";
import { connectionString } from "../storage/index.js";

const scaledClock = fields({ scale: integer(1, 100_000) });

/** Settings that are read only at the start. */
const settings = {
  tenantId: uuid,
  subscriptionId: uuid,
  port,
  httpsPort: port,
  directory: text,
  deadLetterDirectory: text,
  storageConnectionString: connectionString,
  azurite: azuriteOptions,
  blobPort: port,
  clock: v.lazy((value) => (typeof value === "string" ? oneOf("real", "stepped") : scaledClock)),
  control: v.lazy((value) => (typeof value === "boolean" ? flag : fields(controlPlaneSettings))),
};

export const settingsOfStart = Object.keys(settings) as readonly (keyof typeof settings)[];

const configuration = optionalFields({
  ...settings,
  ingress: ingressTable,
  functionApps,
  tenants: list(fields({ tenantId: text })),
  usersAndGroups: list(
    fields({
      objectId: text,
      type: oneOf("User", "Group"),
      displayName: v.optional(text),
      tenantId: v.optional(text),
    }),
  ),
  applications: list(
    fields({
      ...applicationSettings,
      azureRoles: v.optional(list(fields({ role: text, scope: text }))),
      graphPermissions: v.optional(list(text)),
    }),
  ),
  topics: list(topicSchema),
  domains: list(topicSchema),
  namespaces: list(namespaceSchema),
  eventSubscriptions: list(subscriptionSchema),
});

/** The options and resources of a cloud, as a configuration file declares them. */
export type Configuration = v.InferOutput<typeof configuration>;

/** An invalid configuration file or command line. */
export class ConfigurationError extends LocalCloudError {
  override readonly name = "ConfigurationError";

  constructor(
    source: string,
    readonly problems: readonly string[],
  ) {
    super("ERR_CONFIGURATION", withProblems(`${source} is invalid`, problems));
  }
}

/** @throws ConfigurationError with every problem */
export function readConfiguration(file: string): Configuration {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const problem = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(file, [isMissing ? "the file does not exist" : problem]);
  }
  return checkConfiguration(json, file);
}

/**
 * @param problems problems of the same source that were found before
 * @throws ConfigurationError with every problem
 */
export function checkConfiguration(
  json: unknown,
  source: string,
  problems: readonly string[] = [],
): Configuration {
  const all = [...problems, ...problemsOf(configuration, json)];
  if (all.length > 0) throw new ConfigurationError(source, all);
  return v.parse(configuration, json);
}
