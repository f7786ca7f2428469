import type { Account } from "../cloud/account.js";
import { at, type Json, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { alreadyExists } from "../generic/generic-resource.js";
import { type ResourceType, text } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { fromIdentity, toIdentity } from "./identity.js";
import { shortLocation } from "./location.js";
import { fromTags, tagsOf } from "./tags.js";
import { eventGrid } from "./versions.js";

/** `azurerm_eventgrid_system_topic`. */
export const systemTopic: ResourceType<Account> = {
  forceNew: [
    "name",
    "resource_group_name",
    "location",
    "source_arm_resource_id",
    "source_resource_id",
    "topic_type",
  ],
  normalize: { location: shortLocation },

  async create(planned, account) {
    const group = text(planned, "resource_group_name");
    const id = `/subscriptions/${account.subscriptionId}/resourceGroups/${group}/providers/Microsoft.EventGrid/systemTopics/${text(planned, "name")}`;
    if (await find(id, account)) throw alreadyExists("azurerm_eventgrid_system_topic", id);
    await put(id, planned, account);
    return { ...(await read(id, account)), id };
  },

  read: (state, account) => read(text(state, "id"), account),

  async update(prior, planned, account) {
    await put(text(prior, "id"), planned, account);
    return (await read(text(prior, "id"), account)) ?? {};
  },

  delete: (state, account) =>
    doing(`deleting System Topic "${text(state, "name")}"`, () =>
      account.resourceManager.remove(eventGrid(text(state, "id"))),
    ),
};

function find(id: string, account: Account): Promise<Json | undefined> {
  return account.resourceManager.find(eventGrid(id));
}

function put(id: string, planned: Attributes, account: Account): Promise<void> {
  const source = text(planned, "source_resource_id") || text(planned, "source_arm_resource_id");
  return doing(`creating System Topic "${text(planned, "name")}"`, () =>
    account.resourceManager.change(
      "PUT",
      eventGrid(id),
      {
        location: text(planned, "location"),
        properties: { source, topicType: text(planned, "topic_type") },
        identity: toIdentity(planned),
        tags: tagsOf(planned),
      },
      "CreateOrUpdate",
    ),
  );
}

async function read(id: string, account: Account): Promise<Attributes | undefined> {
  const found = await find(id, account);
  if (found === undefined) return undefined;
  const source = stringAt(found, "properties", "source");
  const metric = stringAt(found, "properties", "metricResourceId");
  return {
    name: stringAt(found, "name"),
    resource_group_name: id.split("/")[4] ?? "",
    location: shortLocation(stringAt(found, "location")),
    source_resource_id: source,
    source_arm_resource_id: source,
    metric_resource_id: metric,
    metric_arm_resource_id: metric,
    topic_type: stringAt(found, "properties", "topicType"),
    identity: fromIdentity(at(found, "identity")),
    tags: fromTags(at(found, "tags")),
  };
}
