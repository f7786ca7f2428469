import { randomUUID } from "node:crypto";
import { checkOptions } from "../check-options.js";
import type { LingeringOptions } from "../lingering.js";
import { flag, object, text } from "../shape.js";
import type { Application } from "./applications.js";
import { EVENT_GRID_CLIENT_ID, GRAPH_CLIENT_ID } from "./first-party.js";
import { Tenant } from "./tenant.js";

export interface DirectoryOptions {
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** Makes a UUID. @default random ones */
  readonly newId?: () => string;
  /**
   * For how long a deleted app role assignment is in the way of the same one.
   * @default not at all
   */
  readonly deletedAssignments?: LingeringOptions;
}

export interface NewTenant {
  readonly tenantId: string;
  /**
   * Whether Event Grid's own service principal is there already. Real tenants that never used a
   * secured webhook may lack it.
   * @default true
   */
  readonly eventGridPrincipal?: boolean | undefined;
}

const newTenant = object({ tenantId: text }, { eventGridPrincipal: flag });

/** Entra's directory: all tenants. */
export class Directory {
  readonly #tenants = new Map<string, Tenant>();
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #deletedAssignments: LingeringOptions;

  constructor(options: DirectoryOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#newId = options.newId ?? randomUUID;
    this.#deletedAssignments = options.deletedAssignments ?? { now: this.#now, seconds: 0 };
  }

  /**
   * The tenant of that ID, made when there is none.
   *
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  createTenant(props: NewTenant): Tenant {
    checkOptions(newTenant, props, "A tenant cannot be made with these options");
    const existing = this.tenant(props.tenantId);
    if (existing) return existing;
    const tenant = new Tenant(props.tenantId.toLowerCase(), {
      now: this.#now,
      newId: this.#newId,
      deletedAssignments: this.#deletedAssignments,
      applicationOf: (clientId) => this.applicationOf(clientId),
    });
    tenant.servicePrincipals.create({ clientId: GRAPH_CLIENT_ID });
    if (props.eventGridPrincipal ?? true) {
      tenant.servicePrincipals.create({ clientId: EVENT_GRID_CLIENT_ID });
    }
    this.#tenants.set(tenant.id, tenant);
    return tenant;
  }

  tenant(tenantId: string): Tenant | undefined {
    return this.#tenants.get(tenantId.toLowerCase());
  }

  tenants(): Tenant[] {
    return [...this.#tenants.values()];
  }

  /** An application by its client ID, whichever tenant is its home. */
  applicationOf(clientId: string): Application | undefined {
    for (const tenant of this.#tenants.values()) {
      const application = tenant.applications.byClientId(clientId);
      if (application) return application;
    }
    return undefined;
  }
}
