import type { Account } from "../cloud/account.js";
import { stringAt } from "../cloud/json-client.js";
import { doing, Refusal } from "../cloud/refusal.js";
import { type ResourceType, text } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import { type Fields, readFields, sameNames, writeFields } from "../tables/fields.js";
import { v1 } from "./graph.js";

/**
 * Graph may not know a new principal everywhere yet, which the real provider waits for. It does not
 * wait for a new app role ("Permission being assigned was not found on application").
 */
function isLate(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
  if (error.status !== 404 && !error.message.includes("Not a valid reference update")) throw error;
}

const fields: Fields = {
  app_role_id: "appRoleId",
  principal_object_id: "principalId",
  resource_object_id: "resourceId",
  ...sameNames("principal_display_name", "principal_type", "resource_display_name"),
};

/** `azuread_app_role_assignment`: grants one principal an app role of another. */
export function appRoleAssignment(schema: BlockSchema): ResourceType<Account> {
  return {
    forceNew: ["app_role_id", "principal_object_id", "resource_object_id"],

    async create(planned, { graph }) {
      const path = `/servicePrincipals/${text(planned, "resource_object_id")}/appRoleAssignedTo`;
      const body = writeFields(schema, fields, planned, "absent");
      const principal = text(planned, "principal_object_id");
      const created = await doing(
        `Could not create app role assignment for principal "${principal}"`,
        () => graph.eventually(() => graph.call("POST", v1(path), body).catch(isLate)),
      );
      const id = `${path}/${stringAt(created.body, "id")}`;
      return { ...readFields(schema, fields, created.body), id };
    },

    async read(state, account) {
      const found = await account.graph.find(v1(text(state, "id")));
      return found === undefined ? undefined : readFields(schema, fields, found);
    },

    async delete(state, account) {
      try {
        await account.graph.call("DELETE", v1(text(state, "id")));
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 404)) throw error;
      }
    },
  };
}
