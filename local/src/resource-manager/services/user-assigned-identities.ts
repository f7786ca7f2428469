import { objectAt, ServiceError, textAt } from "../../base/index.js";
import type { Directory } from "../../directory/index.js";
import type { ResourceType } from "../engine/index.js";

/** @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftmanagedidentity */
const NAME = /^[a-z0-9][a-z0-9_-]{2,127}$/i;

/** User-assigned identities are service principals of the directory. */
export function userAssignedIdentities({
  directory,
  tenantId,
}: {
  readonly directory: Directory;
  readonly tenantId: string;
}): ResourceType {
  return {
    type: "Microsoft.ManagedIdentity/userAssignedIdentities",
    location: "region",
    onWrite: (written, { before }) => {
      if (!NAME.test(written.name)) {
        const message = `The identity name '${written.name}' is invalid: it must have 3 to 128 letters, digits, hyphens or underscores, and begin with a letter or digit.`;
        throw new ServiceError(400, "BadRequest", message);
      }
      const known = objectAt(before?.body, "properties");
      const principals = directory.tenant(tenantId)?.servicePrincipals;
      const principal = before ? undefined : principals?.createManagedIdentity(written);
      const principalId = principal?.objectId ?? known.principalId;
      const clientId = principal?.clientId ?? known.clientId;
      const properties = {
        ...objectAt(written.body, "properties"),
        tenantId,
        principalId,
        clientId,
      };
      return { ...written, body: { ...written.body, properties } };
    },
    // The service writes the group's collection in lower case.
    show: ({ id, name, type, location, body }) => ({
      tags: {},
      ...body,
      id: id.replace("/resourceGroups/", "/resourcegroups/"),
      name,
      type,
      location,
    }),
    onDelete: ({ body }) => {
      const principalId = textAt(body, "properties", "principalId");
      if (principalId !== undefined)
        directory.tenant(tenantId)?.deleteServicePrincipal(principalId);
    },
  };
}
