import type { Caller } from "../api/index.js";
import { serviceError } from "../base/index.js";
import { GRAPH_CLIENT_ID, type GraphPermission, type Tenant } from "../directory/index.js";

const READ_ALL: readonly GraphPermission[] = [
  "Application.Read.All",
  "Application.ReadWrite.All",
  "Application.ReadWrite.OwnedBy",
  "Directory.Read.All",
  "Directory.ReadWrite.All",
];
const WRITE_ALL: readonly GraphPermission[] = [
  "Application.ReadWrite.All",
  "Directory.ReadWrite.All",
];
const WRITE_OWNED: GraphPermission = "Application.ReadWrite.OwnedBy";
const WRITE_GROUPS: readonly GraphPermission[] = ["Group.ReadWrite.All", "Directory.ReadWrite.All"];
const ASSIGN: GraphPermission = "AppRoleAssignment.ReadWrite.All";

/** The permissions of a caller in its tenant. The checks throw a ServiceError 403. */
export class Permissions {
  readonly #granted: readonly string[];

  /** @param tenant `undefined` for an unknown one, in which nothing is permitted */
  constructor(
    private readonly caller: Caller,
    tenant: Tenant | undefined,
  ) {
    const graph = tenant?.servicePrincipals.byClientId(GRAPH_CLIENT_ID);
    const principal = tenant?.servicePrincipals.get(caller.objectId);
    this.#granted = graph && principal ? (tenant?.rolesOf(principal, graph) ?? []) : [];
  }

  /** To read applications, principals, users and groups. */
  requireRead(): void {
    this.#require(READ_ALL);
  }

  /** To create applications and principals. */
  requireCreate(): void {
    this.#require([...WRITE_ALL, WRITE_OWNED]);
  }

  /** To change an object with these owners. */
  requireChange(owners: ReadonlySet<string> = new Set()): void {
    const owned = owners.has(this.caller.objectId) ? [WRITE_OWNED] : [];
    this.#require([...WRITE_ALL, ...owned]);
  }

  /** To create, change and delete groups. */
  requireGroups(): void {
    this.#require(WRITE_GROUPS);
  }

  /** To assign app roles. */
  requireAssign(): void {
    this.#require([ASSIGN]);
  }

  /** Whether the caller may change only what it owns. It then owns what it creates. */
  get changesOwnedOnly(): boolean {
    return !WRITE_ALL.some((each) => this.#granted.includes(each));
  }

  #require(anyOf: readonly GraphPermission[]): void {
    if (anyOf.some((each) => this.#granted.includes(each))) return;
    throw serviceError.Authorization_RequestDenied(
      "Insufficient privileges to complete the operation.",
    );
  }
}
