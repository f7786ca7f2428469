import type { Account } from "../cloud/account.js";
import { type Json, stringAt } from "../cloud/json-client.js";
import { type DataSource, text } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import { readFields } from "../tables/fields.js";
import { application } from "./applications.js";
import { list, v1 } from "./graph.js";
import { servicePrincipal } from "./service-principal.js";

/** The identity that the provider is signed in as. Needs no request. */
export const clientConfig: DataSource<Account> = {
  read: async (_config, { clientId, objectId, tenantId }) => ({
    id: `${tenantId}-${clientId}-${objectId}`,
    client_id: clientId,
    object_id: objectId,
    tenant_id: tenantId,
  }),
};

/** The data sources of objects: where their attributes are, and how they are named. */
const objects: Readonly<Record<string, readonly [typeof application, readonly string[]]>> = {
  azuread_service_principal: [servicePrincipal, ["client_id", "object_id", "display_name"]],
  azuread_application: [application, ["client_id", "object_id", "display_name", "identifier_uri"]],
};

/** The data source of an object; `undefined` for other types. */
export function objectDataSource(
  type: string,
  schema: BlockSchema,
): DataSource<Account> | undefined {
  const [table, names] = objects[type] ?? [];
  if (table === undefined || names === undefined) return undefined;
  const { collection, fields } = table;
  return {
    async read(config, account) {
      for (const name of names) {
        const value = text(config, name);
        if (value === "") continue;
        const found = await find(name, value, collection, account);
        if (found === undefined) throw new Error(notFound(collection, name, value));
        const id = `/${collection}/${stringAt(found, "id")}`;
        return { ...readFields(schema, fields, found), id };
      }
      throw new Error(`the configuration has none of ${names.join(", ")}`);
    },
  };
}

/** Graph's filters by the attribute that names the object. */
const filters: Readonly<Record<string, (value: string) => string>> = {
  client_id: (value) => `appId eq '${value}'`,
  display_name: (value) => `displayName eq '${value}'`,
  identifier_uri: (value) => `identifierUris/any(uri:uri eq '${value}')`,
};

async function find(
  name: string,
  value: string,
  collection: string,
  account: Account,
): Promise<Json | undefined> {
  const filter = filters[name];
  if (filter === undefined) return account.graph.find(v1(`/${collection}/${value}`));
  return (await list(account, collection, filter(value.replaceAll("'", "''"))))[0];
}

/** The real provider does not say which service principal it looked for. */
function notFound(collection: string, name: string, value: string): string {
  if (collection === "servicePrincipals") return "No service principal found";
  return `No application found with ${name.replace("_", " ").replace(/\b(id|uri)\b/, (word) => word.toUpperCase())}: "${value}"`;
}
