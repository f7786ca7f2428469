import type { Caller } from "../control-plane/caller.js";
import { type Directory, GRAPH_CLIENT_ID, type Tenant } from "../directory/index.js";
import { ServiceError } from "../errors.js";

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

/** What a caller may do in the directory, by the Graph permissions that it was given. */
export class Permissions {
  constructor(private readonly directory: Directory) {}

  /** The caller's tenant, when it may read applications and principals in it. */
  toRead(caller: Caller): Tenant {
    return this.#require(caller, READ_ALL);
  }

  /** The caller's tenant, when it may make applications and principals in it. */
  toCreate(caller: Caller): Tenant {
    return this.#require(caller, [...WRITE_ALL, WRITE_OWNED]);
  }

  /** The caller's tenant, when it may change something that these principals own. */
  toChange(caller: Caller, owners: ReadonlySet<string>): Tenant {
    const owned = owners.has(caller.objectId) ? [WRITE_OWNED] : [];
    return this.#require(caller, [...WRITE_ALL, ...owned]);
  }

  /** The caller's tenant, when it may give and take app roles in it, which takes reading as well. */
  toAssign(caller: Caller): Tenant {
    this.#require(caller, READ_ALL);
    return this.#require(caller, [ASSIGN]);
  }

  /** Whether the caller may only change what it owns, and so becomes owner of what it makes. */
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
