import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-local";
import fc from "fast-check";
import { expect, it } from "vitest";
import { existing, received, identity as SENDER } from "../../lib/fixtures.js";
import { synthesized } from "../../support/synthesized.js";
import { Deployment, ENDPOINT } from "../doctor/deployment.js";

/** A dead-letter account, and what writes to it. */
interface Case {
  readonly keys: boolean;
  readonly access: "Enabled" | "Disabled";
  readonly action: "Allow" | "Deny";
  readonly bypass: "None" | "AzureServices" | "Logging, AzureServices";
  readonly hasRule: boolean;
  readonly identity: "none" | "SystemAssigned" | "UserAssigned";
  /** Where the identity has a role that suffices, or another one. */
  readonly role: "none" | "account" | "container" | "group" | "queues" | "reader";
}

const cases: fc.Arbitrary<Case> = fc.record({
  keys: fc.boolean(),
  access: fc.constantFrom("Enabled", "Enabled", "Disabled"),
  action: fc.constantFrom("Allow", "Deny", "Deny"),
  bypass: fc.constantFrom("None", "AzureServices", "Logging, AzureServices"),
  hasRule: fc.boolean(),
  identity: fc.constantFrom("none", "SystemAssigned", "UserAssigned"),
  role: fc.constantFrom("none", "account", "account", "container", "group", "queues", "reader"),
});

const location = "westeurope";

/** What `doctor` says, and whether the local Azure keeps the event that a webhook refuses. */
async function ask(one: Case): Promise<{ rules: string; isKept: boolean }> {
  await using deployment = await Deployment.start();
  const { cloud, topic } = deployment;
  const { tenant, application } = deployment;
  const { ARM_CLIENT_ID = "" } = cloud.terraformEnvironment();
  const deployer = tenant.servicePrincipals.byClientId(ARM_CLIENT_ID);
  if (deployer !== undefined) {
    tenant.grant(deployer, application.servicePrincipal, SECURE_WEBHOOK_ROLE);
  }
  const account = await deployment.createAccount();
  const place = {
    container: `${account}/blobServices/default/containers/dead`,
    user: account.replace(
      /Microsoft.Storage.*/,
      "Microsoft.ManagedIdentity/userAssignedIdentities/dead",
    ),
  };
  const user = (await deployment.put(place.user, "2023-01-31", { location })) as {
    properties: { principalId: string };
  };
  const identities =
    one.identity === "UserAssigned"
      ? { type: "UserAssigned", userAssignedIdentities: { [place.user]: {} } }
      : { type: "SystemAssigned" };
  const put = (await deployment.put(topic.id, "2022-06-15", {
    location,
    identity: identities,
    properties: { inputSchema: "CloudEventSchemaV1_0" },
  })) as { identity: { principalId?: string } };
  const principal = put.identity.principalId ?? user.properties.principalId;
  const assign = (role: string, scope: string) => cloud.control.assignRole(role, principal, scope);
  const writer = "Storage Blob Data Contributor";
  assign(writer, account);
  const identity = {
    type: one.identity,
    ...(one.identity === "UserAssigned" && { userAssignedIdentity: place.user }),
  };
  const deadLetterDestination = {
    endpointType: "StorageBlob",
    properties: { resourceId: account, blobContainerName: "dead" },
  };
  const id = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
  await deployment.put(id, "2025-02-15", {
    properties: {
      eventDeliverySchema: "CloudEventSchemaV1_0",
      destination: {
        endpointType: "WebHook",
        properties: {
          endpointUrl: ENDPOINT,
          azureActiveDirectoryTenantId: cloud.tenantId,
          azureActiveDirectoryApplicationIdOrUri: application.clientId,
        },
      },
      ...(one.identity === "none"
        ? { deadLetterDestination }
        : { deadLetterWithResourceIdentity: { identity, deadLetterDestination } }),
    },
  });
  // Azure asks for the role when the subscription is written; it is lost afterwards.
  cloud.control.roleAssignments.deleteWithin(account);
  if (one.role === "account") assign(writer, account);
  if (one.role === "container") assign(writer, place.container);
  if (one.role === "group") assign("Storage Blob Data Owner", account.replace(/\/providers.*/, ""));
  if (one.role === "reader") assign("Storage Blob Data Reader", account);
  if (one.role === "queues") assign("Storage Queue Data Contributor", account);
  const resourceAccessRules = one.hasRule
    ? [{ resourceId: topic.id, tenantId: cloud.tenantId }]
    : [];
  await deployment.put(account, "2023-01-01", {
    location,
    kind: "StorageV2",
    sku: { name: "Standard_LRS" },
    properties: {
      allowSharedKeyAccess: one.keys,
      publicNetworkAccess: one.access,
      networkAcls: { defaultAction: one.action, bypass: one.bypass, resourceAccessRules },
    },
  });
  const { status = "none" } = await deployment.finding("dead-letter", ["--no-handshake"]);
  expect((await deployment.finding("event-subscription")).status).toBe("ok");
  deployment.deliveryStatus = 413;
  await deployment.publish("1");
  return { rules: status, isKept: cloud.deadLetters().length > 0 };
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

it("agrees with the constructs' warnings and the local Azure on which dead letters are kept", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const { rules, isKept } = await ask(one);
      // A warning is what Microsoft's pages do not agree on.
      if (rules !== "warning") expect({ one, isKept }).toEqual({ one, isKept: rules === "ok" });
      const hasRole = one.identity === "none" || /^(account|container|group)$/.test(one.role);
      // The constructs do not see rules for single resources, nor roles.
      if (hasRole && !one.hasRule) {
        expect({ one, isWarned: isWarnedOf(one) }).toEqual({ one, isWarned: rules !== "ok" });
      }
    }),
    { numRuns: 20, seed: 77, endOnFailure: true },
  );
});
