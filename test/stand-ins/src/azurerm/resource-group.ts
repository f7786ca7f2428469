import type { Account } from "../cloud/account.js";
import { at, type Json, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { alreadyExists } from "../generic/generic-resource.js";
import { type ResourceType, text } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { shortLocation } from "./location.js";
import { fromTags, tagsOf } from "./tags.js";
import { API_VERSION, versioned } from "./versions.js";

/** `azurerm_resource_group`. */
export const resourceGroup: ResourceType<Account> = {
  forceNew: ["name", "location"],
  normalize: { location: shortLocation },

  async create(planned, account) {
    const id = resourceGroupId(account, text(planned, "name"));
    if (await find(id, account)) throw alreadyExists("azurerm_resource_group", id);
    await put(id, planned, account);
    return { ...(await read(id, account)), id };
  },

  read: async (state, account) => read(text(state, "id"), account),

  async update(prior, planned, account) {
    await put(text(prior, "id"), planned, account);
    return (await read(text(prior, "id"), account)) ?? {};
  },

  delete: (state, account) =>
    doing(`deleting Resource Group "${text(state, "name")}"`, () =>
      account.resourceManager.remove(versioned(text(state, "id"), API_VERSION.resourceGroups)),
    ),
};

/** Reads the data source `azurerm_resource_group`. */
export async function findResourceGroup(config: Attributes, account: Account): Promise<Attributes> {
  const id = resourceGroupId(account, text(config, "name"));
  const found = await read(id, account);
  if (found === undefined) {
    throw new Error(
      `Resource Group (Subscription: "${account.subscriptionId}"\nResource Group Name: "${text(config, "name")}") was not found`,
    );
  }
  return { ...found, id };
}

function resourceGroupId(account: Account, name: string): string {
  return `/subscriptions/${account.subscriptionId}/resourceGroups/${name}`;
}

function find(id: string, account: Account): Promise<Json | undefined> {
  return account.resourceManager.find(versioned(id, API_VERSION.resourceGroups));
}

function put(id: string, planned: Attributes, account: Account): Promise<void> {
  return doing(`creating Resource Group "${text(planned, "name")}"`, () =>
    account.resourceManager.change(
      "PUT",
      versioned(id, API_VERSION.resourceGroups),
      {
        location: text(planned, "location"),
        managedBy: text(planned, "managed_by") || undefined,
        tags: tagsOf(planned),
      },
      "CreateOrUpdate",
    ),
  );
}

async function read(id: string, account: Account): Promise<Attributes | undefined> {
  const found = await find(id, account);
  if (found === undefined) return undefined;
  return {
    name: stringAt(found, "name"),
    location: shortLocation(stringAt(found, "location")),
    managed_by: stringAt(found, "managedBy"),
    tags: fromTags(at(found, "tags")),
  };
}
