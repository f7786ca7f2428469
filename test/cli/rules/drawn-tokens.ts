import { randomUUID } from "node:crypto";
import { EVENT_GRID_CLIENT_ID, SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-local";
import type { Deployment } from "../doctor/deployment.js";

/** What Event Grid gets no tokens with, for a webhook. */
export const TOKENS = [
  ...["fine", "own disabled", "own missing", "sender disabled", "sender missing"],
  ...["role disabled", "role missing", "not assigned", "assigned to another", "another assigned"],
] as const;
export type Token = (typeof TOKENS)[number];

const OTHER_ROLE = "Another.Role";

function found<T>(one: T | undefined): T {
  if (one === undefined) throw new Error("the tenant lacks a principal or an application");
  return one;
}

/** The webhook's application, its principal, Event Grid's, and the app role between them. */
export class DrawnTokens {
  /** The webhook's first app role, with its ID. */
  readonly #appRole;

  constructor(private readonly deployment: Deployment) {
    this.#appRole = found(this.#application.appRoles[0]);
  }

  get #application() {
    const { tenant, application } = this.deployment;
    return found(tenant.applications.byClientId(application.clientId));
  }

  /** Makes everything what it is without a fault. */
  restore(): void {
    const { tenant, application } = this.deployment;
    this.#application.appRoles = [
      { ...this.#appRole, id: randomUUID(), value: OTHER_ROLE },
      this.#appRole,
    ];
    for (const clientId of [application.clientId, EVENT_GRID_CLIENT_ID]) {
      const known = tenant.servicePrincipals.byClientId(clientId);
      const principal = known ?? tenant.servicePrincipals.create({ clientId });
      principal.attributes = { ...principal.attributes, accountEnabled: true };
    }
    const own = tenant.servicePrincipals.byClientId(application.clientId)?.objectId;
    const { appRoleAssignments } = tenant;
    for (const { id, resourceId } of appRoleAssignments.list()) {
      if (resourceId === own) appRoleAssignments.delete(id);
    }
    const { ARM_CLIENT_ID = "" } = this.deployment.cloud.terraformEnvironment();
    this.#grant(ARM_CLIENT_ID, SECURE_WEBHOOK_ROLE);
    this.#grant(EVENT_GRID_CLIENT_ID, SECURE_WEBHOOK_ROLE);
  }

  #grant(clientId: string, role: string): void {
    const { servicePrincipals } = this.deployment.tenant;
    const own = found(servicePrincipals.byClientId(this.deployment.application.clientId));
    this.deployment.tenant.grant(found(servicePrincipals.byClientId(clientId)), own, role);
  }

  break(token: Token): void {
    const { tenant, application } = this.deployment;
    const [whose, what] = token.split(" ");
    const clientId = whose === "own" ? application.clientId : EVENT_GRID_CLIENT_ID;
    const principal = found(tenant.servicePrincipals.byClientId(clientId));
    if (whose === "own" || whose === "sender") {
      if (what === "missing") tenant.deleteServicePrincipal(principal.objectId);
      else principal.attributes = { ...principal.attributes, accountEnabled: false };
    }
    const { appRoles } = this.#application;
    if (token === "role disabled") {
      this.#application.appRoles = appRoles.map((role) => ({ ...role, isEnabled: false }));
    }
    if (token === "role missing") {
      this.#application.appRoles = appRoles.filter(({ value }) => value === OTHER_ROLE);
    }
    if (!/assigned/.test(token)) return;
    this.deployment.removeEventGridsRole();
    if (token === "assigned to another") {
      const { clientId: other } = this.deployment.cloud.applications.create({ displayName: "x" });
      this.#grant(other, SECURE_WEBHOOK_ROLE);
    }
    if (token === "another assigned") this.#grant(EVENT_GRID_CLIENT_ID, OTHER_ROLE);
  }
}
