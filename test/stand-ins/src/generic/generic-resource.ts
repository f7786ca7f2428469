import type { Account } from "../cloud/account.js";
import { type ResourceType, text } from "../provider/provider.js";
import { attributesWithoutUnknowns } from "../provider/settle.js";
import type { BlockSchema } from "../schema/schema.js";
import type { Attributes } from "../values/value.js";
import { checkName } from "./names.js";
import { plausible } from "./plausible.js";
import { identifying, resourceId } from "./resource-id.js";

/** What exists, by ID, of the resource types that the local Azure does not serve. */
export type Shelf = Map<string, Attributes>;

/** The message that tells of a resource that somebody made before. */
export function alreadyExists(type: string, id: string): Error {
  return new Error(
    `a resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${type}" for more information`,
  );
}

/**
 * The life of a resource of which only the schema is known: it exists on the `shelf` from its
 * creation to its deletion, with what the configuration says and plausible values for the rest.
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
    check: (config) => checkName(type, config),
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
