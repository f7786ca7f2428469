import type { Caller, Router } from "../api/index.js";
import { listAt, textAt } from "../base/index.js";
import type { Tenant } from "../directory/index.js";
import { badRequest, notFound } from "./graph-errors.js";
import type { Permissions } from "./permissions.js";

interface Owned {
  readonly owners: Set<string>;
}

/** The owners of applications or of service principals. */
export function addOwnerRoutes(
  router: Router,
  collection: string,
  permissions: Permissions,
  find: (tenant: Tenant, objectId: string) => Owned,
): void {
  const path = `/:version/${collection}/:id/owners`;
  const toChange = (caller: Caller, objectId: string) => {
    const owned = find(permissions.toRead(caller), objectId);
    permissions.toChange(caller, owned.owners);
    return owned;
  };

  router.get(path, ({ caller }, parameter) => {
    const tenant = permissions.toRead(caller);
    return { value: ownersAnswer(tenant, find(tenant, parameter("id"))) };
  });
  router.on("POST", `${path}/$ref`, ({ caller, body }, parameter) => {
    const owned = toChange(caller, parameter("id"));
    const owner = objectIdIn(textAt(body, "@odata.id") ?? "");
    if (owned.owners.has(owner)) {
      throw badRequest(
        "One or more added object references already exist for the following modified properties: 'owners'.",
      );
    }
    owned.owners.add(owner);
    return { status: 204 };
  });
  router.on("DELETE", `${path}/:owner/$ref`, ({ caller }, parameter) => {
    const owned = toChange(caller, parameter("id"));
    if (!owned.owners.delete(parameter("owner").toLowerCase())) throw notFound(parameter("owner"));
    return { status: 204 };
  });
}

/** The owners in the body of a POST: references that end in object IDs. */
export function ownersIn(body: unknown): string[] {
  return listAt(body, "owners@odata.bind").map((reference) => objectIdIn(String(reference)));
}

/** The owners of an object, as Graph shows them. */
export function ownersAnswer(tenant: Tenant, { owners }: Owned): object[] {
  return [...owners].map((id) => ({
    "@odata.type": `#microsoft.graph.${kindOf(tenant, id)}`,
    id,
  }));
}

function kindOf(tenant: Tenant, objectId: string): string {
  const type = tenant.assignee(objectId)?.type ?? "ServicePrincipal";
  return type.charAt(0).toLowerCase() + type.slice(1);
}

function objectIdIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1).toLowerCase();
}
