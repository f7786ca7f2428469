import { readFileSync } from "node:fs";
import * as v from "valibot";
import {
  checkOptions,
  decodeText,
  fields,
  flag,
  LocalCloudError,
  list,
  oneOf,
  optionalFields,
  port,
  text,
} from "../base/index.js";
import { controlPlaneSettings } from "../control-plane/index.js";
import { applicationSettings } from "../directory/index.js";
import { namespaceSchema, subscriptionSchema, topicSchema } from "../eventgrid/index.js";
import { localCloudSettings } from "../local-cloud-options.js";

const configuration = optionalFields({
  ...localCloudSettings,
  httpsPort: port,
  directory: text,
  control: v.lazy((value) => (typeof value === "boolean" ? flag : fields(controlPlaneSettings))),
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

/** The options and resources of a cloud, as a configuration file and the command line declare them. */
export type Configuration = v.InferOutput<typeof configuration>;

/** @throws LocalCloudError `ERR_CONFIGURATION` with every problem */
export function readConfiguration(file: string): Configuration {
  try {
    return checkConfiguration(JSON.parse(decodeText(readFileSync(file))), file);
  } catch (error) {
    if (error instanceof LocalCloudError && error.code === "ERR_CONFIGURATION") throw error;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const problem = isMissing ? "the file does not exist" : String(Object(error).message);
    throw new LocalCloudError("ERR_CONFIGURATION", `${file} is invalid:\n  - ${problem}`);
  }
}

/** @throws LocalCloudError `ERR_CONFIGURATION` with every problem */
export function checkConfiguration(json: unknown, source: string): Configuration {
  checkOptions(configuration, json, `${source} is invalid`, "ERR_CONFIGURATION");
  return v.parse(configuration, json);
}

const cloudSettings = v.partial(v.object(localCloudSettings));

/** The settings of the cloud itself in a configuration. */
export function cloudSettingsIn(configuration: Configuration) {
  return v.parse(cloudSettings, configuration);
}
