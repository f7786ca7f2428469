import type { Account } from "../cloud/account.js";
import { stringAt } from "../cloud/json-client.js";
import { type DataSource, text } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import { readFields } from "../tables/fields.js";
import { application } from "./applications.js";
import { list } from "./graph.js";
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

/** The data sources of objects, by their client IDs, which the constructs and modules know. */
const objects: Readonly<Record<string, typeof application>> = {
  azuread_service_principal: servicePrincipal,
  azuread_application: application,
};

/** The data source of an object; `undefined` for other types. */
export function objectDataSource(
  type: string,
  schema: BlockSchema,
): DataSource<Account> | undefined {
  const table = objects[type];
  if (table === undefined) return undefined;
  const { collection, fields } = table;
  return {
    async read(config, account) {
      const clientId = text(config, "client_id");
      const [found] = await list(account, collection, `appId eq '${clientId}'`);
      if (found === undefined) throw new Error(notFound(collection, clientId));
      const id = `/${collection}/${stringAt(found, "id")}`;
      return { ...readFields(schema, fields, found), id };
    },
  };
}

/** The real provider does not say which service principal it looked for. */
function notFound(collection: string, clientId: string): string {
  if (collection === "servicePrincipals") return "No service principal found";
  return `No application found with client ID: "${clientId}"`;
}
