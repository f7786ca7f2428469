import { NameRule, propertiesIn, serviceError, textAt } from "../../base/index.js";
import type { Directory } from "../../directory/index.js";
import type { ResourceType } from "../engine/index.js";

/** @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftmanagedidentity */
const NAME = new NameRule({
  least: 3,
  most: 128,
  characters: ["letters", "digits", "hyphens", "underscores"],
  first: ["letters", "digits"],
  last: ["letters", "digits", "hyphens", "underscores"],
});

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
      if (!NAME.allows(written.name)) {
        const message = `The identity name '${written.name}' is invalid: it must have ${NAME}, and begin with a letter or digit.`;
        throw serviceError.BadRequest(message);
      }
      const known = propertiesIn(before?.body);
      const principals = directory.tenant(tenantId)?.servicePrincipals;
      const principal = before ? undefined : principals?.createManagedIdentity(written);
      const principalId = principal?.objectId ?? known.principalId;
      const clientId = principal?.clientId ?? known.clientId;
      const properties = {
        ...propertiesIn(written.body),
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
      const principalId = textAt(propertiesIn(body), "principalId");
      if (principalId !== undefined)
        directory.tenant(tenantId)?.deleteServicePrincipal(principalId);
    },
  };
}
