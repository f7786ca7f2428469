import type { Account } from "../cloud/account.js";
import { alreadyExists, type ResourceType } from "../provider/provider.js";
import type { BlockSchema } from "../values/schema.js";
import { type Attributes, text } from "../values/value.js";
import { plausible } from "./plausible.js";
import { identifying, resourceId } from "./resource-id.js";

/** The existing resources, by ID, of the types that the local Azure does not serve. */
export type Shelf = Map<string, Attributes>;

/**
 * A resource type of which only the schema is known. Its resources are kept on the `shelf`, with
 * the values of the configuration and plausible values for the computed attributes.
 */
export function genericResource(type: string, schema: BlockSchema, shelf: Shelf): ResourceType {
  const keep = (id: string, planned: Attributes) => {
    const kept = plausible(schema, { ...planned, id }, id);
    shelf.set(id, kept);
    return kept;
  };
  // Other tools look for dead-letter containers in Resource Manager.
  const isStorage = /^azurerm_storage_(account|container)$/.test(type);
  const inAzure = ({ resourceManager }: Account, id: string) => {
    const path = `${id}?api-version=2023-05-01`;
    return {
      put: (body: object) => resourceManager.put(path, body),
      remove: () => resourceManager.remove(path),
    };
  };
  return {
    forceNew: identifying(type).filter((name) => name in (schema.attributes ?? {})),
    async create(planned, account) {
      const id = resourceId(type, planned, account);
      if (shelf.has(id)) throw alreadyExists(type, id);
      if (isStorage) {
        // A container has no location.
        const location = text(planned, "location") || undefined;
        const sku = { name: "Standard_LRS" };
        await inAzure(account, id).put({ location, kind: "StorageV2", sku });
      }
      return keep(id, planned);
    },
    read: async (state) => shelf.get(text(state, "id")),
    update: async (prior, planned) => keep(text(prior, "id"), planned),
    async delete(state, account) {
      const id = text(state, "id");
      if (isStorage) await inAzure(account, id).remove();
      shelf.delete(id);
    },
  };
}
