import type { Caller } from "../api/index.js";
import { ServiceError } from "../base/index.js";
import { type Directory, GRAPH_CLIENT_ID, type Tenant } from "../directory/index.js";

const READ_ALL = [
  "Application.Read.All",
  "Application.ReadWrite.All",
  "Application.ReadWrite.OwnedBy",
  "Directory.Read.All",
  "Directory.ReadWrite.All",
];
const WRITE_ALL = ["Application.ReadWrite.All", "Directory.ReadWrite.All"];
const WRITE_OWNED = "Application.ReadWrite.OwnedBy";
const ASSIGN = "AppRoleAssignment.ReadWrite.All";

/** Checks the Graph permissions of callers. */
export class Permissions {
  constructor(private readonly directory: Directory) {}

  /** The caller's tenant, if the caller may read applications and principals. */
  toRead(caller: Caller): Tenant {
    return this.#require(caller, READ_ALL);
  }

  /** The caller's tenant, if the caller may create applications and principals. */
  toCreate(caller: Caller): Tenant {
    return this.#require(caller, [...WRITE_ALL, WRITE_OWNED]);
  }

  /** The caller's tenant, if the caller may change an object with these owners. */
  toChange(caller: Caller, owners: ReadonlySet<string>): Tenant {
    const owned = owners.has(caller.objectId) ? [WRITE_OWNED] : [];
    return this.#require(caller, [...WRITE_ALL, ...owned]);
  }

  /** The caller's tenant, if the caller may assign app roles, which requires reading too. */
  toAssign(caller: Caller): Tenant {
    this.#require(caller, READ_ALL);
    return this.#require(caller, [ASSIGN]);
  }

  /** Whether the caller may change only what it owns. It then owns what it creates. */
  ownsOnly(caller: Caller): boolean {
    return !WRITE_ALL.some((each) => this.#of(caller).includes(each));
  }

  #require(caller: Caller, anyOf: readonly string[]): Tenant {
    const tenant = this.directory.tenant(caller.tenantId);
    const granted = this.#of(caller);
    if (tenant && anyOf.some((each) => granted.includes(each))) return tenant;
    throw new ServiceError(
      403,
      "Authorization_RequestDenied",
      "Insufficient privileges to complete the operation.",
    );
  }

  #of(caller: Caller): string[] {
    const tenant = this.directory.tenant(caller.tenantId);
    const graph = tenant?.servicePrincipals.byClientId(GRAPH_CLIENT_ID);
    const principal = tenant?.servicePrincipals.get(caller.objectId);
    return tenant && graph && principal ? tenant.rolesOf(principal, graph) : [];
  }
}
