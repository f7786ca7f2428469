import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { EVENT_GRID_CLIENT_ID, SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-local";
import fc from "fast-check";
import { expect, it } from "vitest";
import { existing, received, identity as SENDER } from "../../lib/fixtures.js";
import { draws } from "../../support/draws.js";
import { synthesized } from "../../support/synthesized.js";
import { Deployment, type Finding } from "../doctor/deployment.js";

/** A dead-letter account, what writes to it, and what Event Grid's tokens need. */
interface Case {
  readonly keys: boolean;
  readonly access: "Enabled" | "Disabled";
  readonly action: "Allow" | "Deny";
  readonly bypass: "None" | "AzureServices" | "Logging, AzureServices";
  readonly hasRule: boolean;
  readonly identity: "none" | "SystemAssigned" | "UserAssigned";
  /** Where the identity has a role that suffices, or another one. */
  readonly role: (typeof ROLES)[number];
  readonly hasAppRole: boolean;
  /** What Event Grid gets no tokens with, besides that. */
  readonly fault: (typeof FAULTS)[number];
}

const SUFFICIENT = [
  ...["account", "container", "group", "custom", "pattern", "member", "nested"],
] as const;
const ROLES = [
  ...[...SUFFICIENT, "none", "queues", "reader", "beside", "excluded", "other", "foreign"],
] as const;

/** Entra groups with the identity, itself or by another one, and without it. */
const GROUPS = {
  outer: "aaaaaaaa-0000-4000-8000-000000000001",
  inner: "aaaaaaaa-0000-4000-8000-000000000002",
  foreign: "aaaaaaaa-0000-4000-8000-000000000003",
} as const;

/** A service principal that is disabled or missing, or an app role that is disabled. */
const FAULTS = ["none", "sender disabled", "sender missing", "disabled", "role disabled"] as const;
/** The checks of what Event Grid's tokens need. */
const TOKENS = ["service-principal", "app-role", "event-grid-principal", "app-role-assignment"];

const drawn = {
  keys: fc.boolean(),
  access: fc.constantFrom("Enabled", "Enabled", "Disabled"),
  action: fc.constantFrom("Allow", "Deny", "Deny"),
  bypass: fc.constantFrom("None", "AzureServices", "Logging, AzureServices"),
  hasRule: fc.boolean(),
  identity: fc.constantFrom("none", "SystemAssigned", "UserAssigned"),
  role: fc.constantFrom(...SUFFICIENT, ...ROLES),
  hasAppRole: fc.boolean(),
  fault: fc.constantFrom("none", ...FAULTS),
} as const;

/** In one of three, the account admits only whom it names. */
const cases: fc.Arbitrary<Case> = fc.oneof(
  { weight: 2, arbitrary: fc.record(drawn) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...drawn,
      action: fc.constant("Deny" as const),
      bypass: fc.constant("None" as const),
      identity: fc.constantFrom("SystemAssigned", "SystemAssigned", "UserAssigned"),
      role: fc.constantFrom(...SUFFICIENT),
    }),
  },
);

const location = "westeurope";
const blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs";

/** The data actions of roles of one's own. */
const CUSTOM: Readonly<Record<string, object>> = {
  custom: { dataActions: [`${blobs}/write`] },
  pattern: { dataActions: ["Microsoft.Storage/*"], notDataActions: [`${blobs}/delete`] },
  excluded: { dataActions: [`${blobs}/*`], notDataActions: [`${blobs}/write`] },
  other: { dataActions: [`${blobs}/read`], actions: [`${blobs}/write`] },
};

/** A deployment whose account, identity and roles change from case to case. */
class Cases implements AsyncDisposable {
  readonly #place: Readonly<Record<"container" | "user" | "group" | "beside", string>>;
  #round = 0;

  static async start(): Promise<Cases> {
    const deployment = await Deployment.start();
    deployment.allowDeployer();
    deployment.deliveryStatus = 413;
    return new Cases(deployment, await deployment.createAccount());
  }

  private constructor(
    private readonly deployment: Deployment,
    private readonly account: string,
  ) {
    const group = account.replace(/\/providers.*/, "");
    this.#place = {
      group,
      container: `${account}/blobServices/default/containers/dead`,
      beside: `${account}/blobServices/default/containers/deadly`,
      user: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/dead`,
    };
  }

  [Symbol.asyncDispose]() {
    return this.deployment[Symbol.asyncDispose]();
  }

  /** What `doctor` says, and whether the local Azure keeps the event that a webhook refuses. */
  async ask(one: Case) {
    const { deployment, account } = this;
    const { cloud, tenant, application } = deployment;
    this.#restore();
    cloud.control.roleAssignments.deleteWithin(this.#place.group);
    const principal = await this.#identify(one);
    const assign = (role: string, scope: string) =>
      cloud.control.assignRole(role, principal, scope);
    assign("Storage Blob Data Contributor", account);
    await this.#close({ ...one, keys: true, action: "Allow", access: "Enabled" });
    const sender = deployment.eventGrid;
    if (sender) tenant.grant(sender, application.servicePrincipal, SECURE_WEBHOOK_ROLE);
    await this.#subscribe(one);
    // Azure asks for the roles when the subscription is written; they are lost afterwards.
    cloud.control.roleAssignments.deleteWithin(this.#place.group);
    if (!one.hasAppRole) deployment.removeEventGridsRole();
    this.#break(one);
    await this.#assign(one, principal);
    await this.#close(one);
    const { out } = await deployment.doctor(["--no-handshake", "--json"]);
    const { findings }: { findings: Finding[] } = JSON.parse(out);
    const statusOf = (check: string) => findings.find((each) => each.check === check)?.status;
    const problems = findings.filter(
      ({ check, status }) => TOKENS.includes(check) && status !== "ok",
    );
    expect(statusOf("event-subscription")).toBe("ok");
    const kept = cloud.deadLetters().length;
    deployment.deliveredRoles = [];
    await deployment.publish("1");
    return {
      rules: statusOf("dead-letter"),
      isKept: cloud.deadLetters().length > kept,
      getsTokens: problems.length === 0,
      roles: deployment.deliveredRoles,
    };
  }

  /** Makes principals and app role what they are without a fault. */
  #restore(): void {
    const { tenant, application } = this.deployment;
    if (this.deployment.eventGrid === undefined) {
      tenant.servicePrincipals.create({ clientId: EVENT_GRID_CLIENT_ID });
    }
    for (const principal of [application.servicePrincipal, this.deployment.eventGrid]) {
      if (principal) principal.attributes = { ...principal.attributes, accountEnabled: true };
    }
    this.#enableRole(true);
  }

  #break({ fault }: Case): void {
    const { tenant, application, eventGrid } = this.deployment;
    const principal = fault === "disabled" ? application.servicePrincipal : eventGrid;
    if (principal && /^(sender )?disabled$/.test(fault)) {
      principal.attributes = { ...principal.attributes, accountEnabled: false };
    }
    if (fault === "sender missing" && eventGrid) tenant.deleteServicePrincipal(eventGrid.objectId);
    if (fault === "role disabled") this.#enableRole(false);
  }

  #enableRole(isEnabled: boolean): void {
    const { tenant, application } = this.deployment;
    const found = tenant.applications.byClientId(application.clientId);
    if (found) found.appRoles = found.appRoles.map((role) => ({ ...role, isEnabled }));
  }

  /** Gives the topic its identity. @returns the principal */
  async #identify({ identity }: Case): Promise<string> {
    const { user } = this.#place;
    const of = async (id: string, version: string, body: object) =>
      Object(await this.deployment.put(id, version, body));
    const { properties } = await of(user, "2023-01-31", { location });
    const isUser = identity === "UserAssigned";
    const put = await of(this.deployment.topic.id, "2022-06-15", {
      location,
      identity: isUser
        ? { type: "UserAssigned", userAssignedIdentities: { [user]: {} } }
        : { type: "SystemAssigned" },
      properties: { inputSchema: "CloudEventSchemaV1_0" },
    });
    return String(isUser ? properties.principalId : put.identity.principalId);
  }

  async #subscribe(one: Case): Promise<void> {
    const { topic } = this.deployment;
    const identity = {
      type: one.identity,
      ...(one.identity === "UserAssigned" && { userAssignedIdentity: this.#place.user }),
    };
    const deadLetterDestination = {
      endpointType: "StorageBlob",
      properties: { resourceId: this.account, blobContainerName: "dead" },
    };
    const id = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
    await this.deployment.put(id, "2025-02-15", {
      properties: {
        eventDeliverySchema: "CloudEventSchemaV1_0",
        // What gets no token is tried once only.
        retryPolicy: { maxDeliveryAttempts: 1 },
        destination: this.deployment.destination,
        ...(one.identity === "none"
          ? { deadLetterDestination }
          : { deadLetterWithResourceIdentity: { identity, deadLetterDestination } }),
      },
    });
  }

  async #assign({ role }: Case, principal: string): Promise<void> {
    const { deployment, account } = this;
    const { container, group, beside } = this.#place;
    const assign = (name: string, scope: string) =>
      deployment.cloud.control.assignRole(name, principal, scope);
    const writer = "Storage Blob Data Contributor";
    if (role === "account") assign(writer, account);
    if (role === "container") assign(writer, container);
    if (role === "beside") assign(writer, beside);
    if (role === "group") assign("Storage Blob Data Owner", group);
    if (role === "reader") assign("Storage Blob Data Reader", account);
    const { usersAndGroups } = deployment.tenant;
    const member = role === "nested" ? GROUPS.inner : principal.toLowerCase();
    const declare = (id: string, members: readonly string[]) =>
      usersAndGroups.set(id, { displayName: id, type: "Group", members });
    declare(GROUPS.outer, [member]);
    declare(GROUPS.inner, [principal.toLowerCase()]);
    declare(GROUPS.foreign, ["66666666-6666-4666-8666-666666666666"]);
    const holder = role === "foreign" ? GROUPS.foreign : GROUPS.outer;
    if (/^(member|nested|foreign)$/.test(role)) {
      deployment.cloud.control.assignRole(writer, holder, account);
    }
    if (role === "queues") assign("Storage Queue Data Contributor", account);
    const permissions = CUSTOM[role];
    if (permissions === undefined) return;
    const id = (kind: string, digits: string) =>
      `/providers/Microsoft.Authorization/${kind}/00000000-0000-4000-8000-${digits.padStart(12, "0")}`;
    const subscription = group.replace(/\/resourceGroups.*/, "");
    const round = String(++this.#round);
    const roleDefinitionId = `${subscription}${id("roleDefinitions", round)}`;
    const [roleName, type, assignableScopes] = [`role ${round}`, "CustomRole", [subscription]];
    await deployment.put(roleDefinitionId, "2022-04-01", {
      properties: { roleName, type, assignableScopes, permissions: [permissions] },
    });
    await deployment.put(`${account}${id("roleAssignments", round)}`, "2022-04-01", {
      properties: { roleDefinitionId, principalId: principal, principalType: "ServicePrincipal" },
    });
  }

  async #close({ keys, access, action, bypass, hasRule }: Case): Promise<void> {
    const { topic, cloud } = this.deployment;
    const rule = { resourceId: topic.id, tenantId: cloud.tenantId };
    await this.deployment.put(this.account, "2023-01-01", {
      location,
      kind: "StorageV2",
      sku: { name: "Standard_LRS" },
      properties: {
        allowSharedKeyAccess: keys,
        publicNetworkAccess: access,
        networkAcls: { defaultAction: action, bypass, resourceAccessRules: hasRule ? [rule] : [] },
      },
    });
  }
}

/** Whether the construct warns of the account, as its literals show. */
function isWarnedOf(one: Case): boolean {
  const { warnings } = synthesized((scope) => {
    const storageAccount = new StorageAccount(scope, "account", {
      name: "shop",
      resourceGroupName: "shop",
      location,
      accountTier: "Standard",
      accountReplicationType: "LRS",
      sharedAccessKeyEnabled: one.keys,
      publicNetworkAccessEnabled: one.access === "Enabled",
      networkRules: { defaultAction: one.action, bypass: one.bypass.split(", ") },
    });
    const identity =
      one.identity === "UserAssigned"
        ? { type: one.identity, userAssignedIdentity: SENDER, principalId: existing.writerId }
        : { type: "SystemAssigned" as const, principalId: existing.writerId };
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      scope: `${received.scope}/providers/Microsoft.EventGrid/topics/shop`,
      deadLetter: {
        storageAccount,
        container: "dead",
        ...(one.identity !== "none" && { identity }),
      },
    });
  });
  return warnings.some((text) => text.includes("deadLetter.storageAccount"));
}

it("agrees with the constructs' warnings and the local Azure on dead letters and tokens", async () => {
  await using all = await Cases.start();
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const { rules, isKept, getsTokens, roles } = await all.ask(one);
      // A warning is what Microsoft's pages do not agree on.
      if (rules !== "warning") expect({ one, isKept }).toEqual({ one, isKept: rules === "ok" });
      expect({ one, roles }).toEqual({ one, roles: getsTokens ? [SECURE_WEBHOOK_ROLE] : [] });
      const sufficient: readonly string[] = SUFFICIENT;
      const hasRole = one.identity === "none" || sufficient.includes(one.role);
      // The constructs do not see rules for single resources, nor roles.
      if (hasRole && !one.hasRule) {
        expect({ one, isWarned: isWarnedOf(one) }).toEqual({ one, isWarned: rules !== "ok" });
      }
    }),
    { numRuns: draws(16), seed: 77, endOnFailure: true },
  );
});
