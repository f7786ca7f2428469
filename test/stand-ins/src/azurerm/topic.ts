import type { Account } from "../cloud/account.js";
import { at, type Json, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { alreadyExists } from "../generic/generic-resource.js";
import { matches, oneOf } from "../provider/checks.js";
import type { Problem } from "../provider/problem.js";
import { type ResourceType, text } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { fromIdentity, toIdentity } from "./identity.js";
import { shortLocation } from "./location.js";
import { fromTags, tagsOf } from "./tags.js";
import { eventGrid } from "./versions.js";

/** `azurerm_eventgrid_topic`. */
export const topic: ResourceType<Account> = {
  forceNew: [
    "name",
    "resource_group_name",
    "location",
    "input_schema",
    "input_mapping_fields",
    "input_mapping_default_values",
  ],
  normalize: { location: shortLocation },
  defaults: {
    input_schema: "EventGridSchema",
    local_auth_enabled: true,
    public_network_access_enabled: true,
  },

  check: (config): Problem[] => [
    ...matches(
      config,
      "name",
      /^[-a-zA-Z0-9]{3,50}$/,
      "EventGrid topic name must be 3 - 50 characters long, contain only letters, numbers and hyphens.",
    ),
    ...oneOf(config, "input_schema", [
      "CloudEventSchemaV1_0",
      "CustomEventSchema",
      "EventGridSchema",
    ]),
  ],

  async create(planned, account) {
    const id = topicId(account, planned);
    const existing = await doing(`checking for presence of existing ${named(planned)}`, () =>
      find(id, account),
    );
    if (existing) throw alreadyExists("azurerm_eventgrid_topic", id);
    await doing(`creating ${named(planned)}`, () =>
      account.resourceManager.change("PUT", eventGrid(id), body(planned), "CreateOrUpdate"),
    );
    return { ...(await read(id, account)), id };
  },

  read: (state, account) => read(text(state, "id"), account),

  async update(prior, planned, account) {
    const id = text(prior, "id");
    const { location: _, ...change } = body(planned);
    await doing(`updating ${named(planned)}`, () =>
      account.resourceManager.change("PATCH", eventGrid(id), change, "Update"),
    );
    return (await read(id, account)) ?? {};
  },

  delete: (state, account) =>
    doing(`deleting ${named(state)}`, () =>
      account.resourceManager.remove(eventGrid(text(state, "id"))),
    ),
};

/** Reads the data source `azurerm_eventgrid_topic`. */
export async function findTopic(config: Attributes, account: Account): Promise<Attributes> {
  const id = topicId(account, config);
  const found = await read(id, account);
  if (found === undefined) throw new Error(`${named(config)} was not found`);
  const { name, location, endpoint, primary_access_key, secondary_access_key, tags } = found;
  return {
    id,
    name: name ?? null,
    location: location ?? null,
    endpoint: endpoint ?? null,
    primary_access_key: primary_access_key ?? null,
    secondary_access_key: secondary_access_key ?? null,
    tags: tags ?? null,
  };
}

function topicId(account: Account, attributes: Attributes): string {
  const group = text(attributes, "resource_group_name");
  const name = text(attributes, "name");
  return `/subscriptions/${account.subscriptionId}/resourceGroups/${group}/providers/Microsoft.EventGrid/topics/${name}`;
}

function named(attributes: Attributes): string {
  return `Topic (Resource Group Name: "${text(attributes, "resource_group_name")}", Topic Name: "${text(attributes, "name")}")`;
}

function body(planned: Attributes) {
  return {
    location: text(planned, "location"),
    properties: {
      inputSchema: text(planned, "input_schema"),
      disableLocalAuth: planned.local_auth_enabled === false,
      publicNetworkAccess: planned.public_network_access_enabled === false ? "Disabled" : "Enabled",
    },
    identity: toIdentity(planned),
    tags: tagsOf(planned),
  };
}

function find(id: string, account: Account): Promise<Json | undefined> {
  return account.resourceManager.find(eventGrid(id));
}

/** Every read also requests the keys. */
async function read(id: string, account: Account): Promise<Attributes | undefined> {
  const found = await find(id, account);
  if (found === undefined) return undefined;
  const keys = await account.resourceManager.call("POST", eventGrid(`${id}/listKeys`));
  return {
    name: stringAt(found, "name"),
    resource_group_name: id.split("/")[4] ?? "",
    location: shortLocation(stringAt(found, "location")),
    endpoint: stringAt(found, "properties", "endpoint"),
    input_schema: stringAt(found, "properties", "inputSchema"),
    local_auth_enabled: at(found, "properties", "disableLocalAuth") !== true,
    public_network_access_enabled: at(found, "properties", "publicNetworkAccess") !== "Disabled",
    primary_access_key: stringAt(keys.body, "key1"),
    secondary_access_key: stringAt(keys.body, "key2"),
    identity: fromIdentity(at(found, "identity")),
    tags: fromTags(at(found, "tags")),
  };
}
