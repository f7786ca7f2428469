import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { checkOptions, fields, flag, type LingeringOptions, text } from "../base/index.js";
import type { Application } from "./applications.js";
import { EVENT_GRID_CLIENT_ID, GRAPH_CLIENT_ID } from "./first-party.js";
import { Tenant } from "./tenant.js";

export interface DirectoryOptions {
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** Creates a UUID. @default random UUIDs */
  readonly newId?: () => string;
  /**
   * How long a deleted app role assignment conflicts with the same one.
   * @default not at all
   */
  readonly deletedAssignments?: LingeringOptions;
  /**
   * How long a role that is added to an existing application cannot be assigned.
   * @default not at all
   */
  readonly newAppRoles?: LingeringOptions;
}

export interface NewTenant {
  readonly tenantId: string;
  /**
   * Whether Event Grid's own service principal exists. Real tenants that never used a secured
   * webhook may lack it.
   * @default true
   */
  readonly eventGridPrincipal?: boolean | undefined;
}

const newTenant = fields({ tenantId: text, eventGridPrincipal: v.optional(flag) });

/** Entra's directory: all tenants. */
export class Directory {
  readonly #tenants = new Map<string, Tenant>();
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #deletedAssignments: LingeringOptions;
  readonly #newAppRoles: LingeringOptions;

  constructor(options: DirectoryOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#newId = options.newId ?? randomUUID;
    this.#deletedAssignments = options.deletedAssignments ?? { now: this.#now, seconds: 0 };
    this.#newAppRoles = options.newAppRoles ?? { now: this.#now, seconds: 0 };
  }

  /**
   * Returns the tenant with this ID, created if necessary.
   *
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  createTenant(props: NewTenant): Tenant {
    checkOptions(newTenant, props, "Invalid options of a tenant");
    const existing = this.tenant(props.tenantId);
    if (existing) return existing;
    const tenant = new Tenant(props.tenantId.toLowerCase(), {
      now: this.#now,
      newId: this.#newId,
      deletedAssignments: this.#deletedAssignments,
      newAppRoles: this.#newAppRoles,
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

  /** @internal */
  snapshot() {
    return this.tenants().map((tenant) => tenant.snapshot());
  }

  /** @internal */
  restore(tenants: ReturnType<Directory["snapshot"]>): void {
    for (const snapshot of tenants) this.createTenant({ tenantId: snapshot.id }).restore(snapshot);
  }

  tenants(): Tenant[] {
    return [...this.#tenants.values()];
  }

  /** An application of any tenant by its client ID. */
  applicationOf(clientId: string): Application | undefined {
    for (const tenant of this.#tenants.values()) {
      const application = tenant.applications.byClientId(clientId);
      if (application) return application;
    }
    return undefined;
  }
}
