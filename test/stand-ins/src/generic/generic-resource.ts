import type { Account } from "../cloud/account.js";
import { type ResourceType, text } from "../provider/provider.js";
import { attributesWithoutUnknowns } from "../provider/settle.js";
import type { BlockSchema } from "../schema/schema.js";
import type { Attributes } from "../values/value.js";
import { plausible } from "./plausible.js";
import { identifying, resourceId } from "./resource-id.js";

/** The existing resources, by ID, of the types that the local Azure does not serve. */
export type Shelf = Map<string, Attributes>;

/** The real providers' error for a resource that already exists. */
export function alreadyExists(type: string, id: string): Error {
  return new Error(
    `a resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${type}" for more information`,
  );
}

/**
 * A resource type of which only the schema is known. Its resources are kept on the `shelf`, with
 * the values of the configuration and plausible values for the computed attributes.
 */
export function genericResource(
  type: string,
  schema: BlockSchema,
  shelf: Shelf,
): ResourceType<Account> {
  const keep = (id: string, planned: Attributes) => {
    const kept = attributesWithoutUnknowns(plausible(schema, { ...planned, id }, id));
    shelf.set(id, kept);
    return kept;
  };
  return {
    forceNew: identifying(type).filter((name) => name in (schema.attributes ?? {})),
    create: async (planned, account) => {
      const id = resourceId(type, planned, account);
      if (shelf.has(id)) throw alreadyExists(type, id);
      return keep(id, planned);
    },
    read: async (state) => shelf.get(text(state, "id")),
    update: async (prior, planned) => keep(text(prior, "id"), planned),
    delete: async (state) => {
      shelf.delete(text(state, "id"));
    },
  };
}
