import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import type { TerraformStack } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, identity, received, storageAccount } from "../fixtures.js";
import { problemsOf } from "../problems.js";
import { SUBSCRIPTION } from "../subscriptions.js";

describe("dead-lettering", () => {
  it("needs only the account and the container", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        deadLetter: { storageAccount, container: "dead-letters" },
      });
    });
    expect(stack.one(SUBSCRIPTION).storage_blob_dead_letter_destination).toEqual({
      storage_account_id: storageAccount,
      storage_blob_container_name: "dead-letters",
    });
    expect(stack.one(SUBSCRIPTION)).not.toHaveProperty("dead_letter_identity");
    expect(stack.all("azurerm_role_assignment")).toHaveLength(1);
  });

  it("accepts constructs, and grants the identity the right to write into the container", () => {
    const stack = synthesized((scope) => {
      const account = new StorageAccount(scope, "account", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
        accountTier: "Standard",
        accountReplicationType: "LRS",
      });
      const container = new StorageContainer(scope, "container", {
        name: "dead-letters",
        storageAccountId: account.id,
      });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        deadLetter: {
          storageAccount: account,
          container,
          identity: { type: "SystemAssigned", principalId: existing.writerId },
        },
      });
    });
    const subscription = stack.one(SUBSCRIPTION);
    expect(subscription.storage_blob_dead_letter_destination).toEqual({
      storage_account_id: "${azurerm_storage_account.account.id}",
      storage_blob_container_name: "${azurerm_storage_container.container.name}",
    });
    expect(subscription.dead_letter_identity).toEqual({ type: "SystemAssigned" });
    const grant = stack
      .all("azurerm_role_assignment")
      .find(({ path }) => path.includes("storage-blob-data-contributor"));
    expect(grant?.body).toMatchObject({
      scope:
        "${azurerm_storage_account.account.id}/blobServices/default/containers/" +
        "${azurerm_storage_container.container.name}",
      role_definition_id: expect.stringMatching(/\/ba92f5b4-2d11-453d-a403-e96b0029c9fe$/),
      principal_id: existing.writerId,
      principal_type: "ServicePrincipal",
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContain(grant?.path);
  });
});

describe("a dead-letter identity", () => {
  const container = { storageAccount, container: "dead-letters" };
  const principalId = existing.writerId;
  const deadLetter = { ...container, identity: { type: "SystemAssigned", principalId } } as const;
  const withProps = (props: object) =>
    synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...received, deadLetter, ...props });
    });

  it("delays the subscription until its role has taken effect, and again when the role changes", () => {
    const stack = withProps({});
    expect(stack.one("terraform_data", "orders/role-effect")).toMatchObject({
      triggers_replace: {
        "0": expect.stringMatching(/^\$\{azurerm_role_assignment\..*storage-blob.*\.id\}$/),
      },
      provisioner: [{ "local-exec": { command: "sleep 60 || ping -n 61 127.0.0.1" } }],
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContain("orders/role-effect");
  });

  it.each([
    ["not named", {}],
    ["named", { principalId }],
  ])("gets no role and no wait if it has the role already: %s", (_, named) => {
    const stack = withProps({
      deadLetter: { ...container, identity: { type: "SystemAssigned", ...named } },
      existingAssignments: ["deadLetter"],
      additionalScopes: { uploads: storageAccount },
    });
    const roles = stack.all("azurerm_role_assignment").map(({ path }) => path);
    expect(roles.filter((path) => path.includes("storage-blob"))).toEqual([]);
    expect(stack.shape).not.toContain("terraform_data orders/role-effect");
    for (const id of ["subscription", "subscription-uploads"]) {
      expect(stack.one(SUBSCRIPTION, `orders/${id}`)).toMatchObject({
        dead_letter_identity: { type: "SystemAssigned" },
      });
    }
  });

  it("needs no principalId if it is the system-assigned identity of a topic in the stack", () => {
    const stack = synthesized((scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "shop",
        location: "westeurope",
        identity: { type: "SystemAssigned" },
      });
      const deadLetter = { ...container, identity: { type: "SystemAssigned" } } as const;
      new CloudEventGridBinding(scope, "orders", { ...received, scope: topic.id, deadLetter });
      new CloudEventGridBinding(scope, "more", {
        ...received,
        additionalScopes: { topic: { scope: topic.id, deadLetter } },
      });
    });
    const roles = stack.all("azurerm_role_assignment");
    expect(
      roles
        .filter(({ path }) => path.includes("storage-blob"))
        .map(({ body }) => body.principal_id),
    ).toEqual([
      expect.stringMatching(
        /^\$\{\(\(length\(terraform_data\..*\.id\) >= 1\) \? azurerm_eventgrid_topic\..*\.identity\[0\]\.principal_id : ""\)\}$/,
      ),
    ]);
    expect(stack.waits("terraform_data", "topic/topic/new-identity")).toEqual(["topic/topic"]);
  });

  it("needs it if the topic has no system-assigned identity", () => {
    const deadLetter = { ...container, identity: { type: "SystemAssigned" } } as const;
    const build = (scope: TerraformStack) => {
      const topic = new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "shop",
        location: "westeurope",
        identity: { type: "UserAssigned", userAssignedIdentities: [identity] },
      });
      new CloudEventGridBinding(scope, "orders", { ...received, scope: topic.id, deadLetter });
    };
    expect(problemsOf(build)).toEqual(["deadLetter.identity.principalId: required"]);
  });

  it("can serve several scopes with one role assignment and one wait", () => {
    const stack = withProps({
      deadLetter: {
        ...container,
        identity: { type: "UserAssigned", userAssignedIdentity: identity, principalId },
      },
      additionalScopes: { uploads: storageAccount },
    });
    expect(stack.one("terraform_data", "orders/role-effect").triggers_replace).toEqual({
      "0": expect.stringContaining("storage-blob"),
    });
    expect(stack.one(SUBSCRIPTION, "orders/subscription-uploads").dead_letter_identity).toEqual({
      type: "UserAssigned",
      user_assigned_identity: identity,
    });
  });
});

describe("a dead-letter container in another subscription", () => {
  it("names the role by its own subscription, because it would drift otherwise", () => {
    const other = "99999999-2222-3333-4444-000000000002";
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        deadLetter: {
          storageAccount: storageAccount.replace(existing.subscriptionId, other),
          container: "dead-letters",
          identity: { type: "SystemAssigned", principalId: existing.writerId },
        },
      });
    });
    expect(
      stack
        .all("azurerm_role_assignment")
        .filter(({ path }) => path.includes("storage-blob"))
        .map(({ body }) => body.role_definition_id),
    ).toEqual([
      `/subscriptions/${other}/providers/Microsoft.Authorization/roleDefinitions/ba92f5b4-2d11-453d-a403-e96b0029c9fe`,
    ]);
  });
});

describe("a storage account of the stack that is closed to Event Grid", () => {
  const principal = { type: "SystemAssigned", principalId: existing.writerId } as const;
  const warningsOf = (settings: object, identity?: typeof principal, byId = false) =>
    synthesized((scope) => {
      const account = new StorageAccount(scope, "account", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
        accountTier: "Standard",
        accountReplicationType: "LRS",
        ...settings,
      });
      const storageAccount = byId ? account.id : account;
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        scope: `${received.scope}/providers/Microsoft.EventGrid/topics/shop`,
        deadLetter: { storageAccount, container: "dead", ...(identity && { identity }) },
      });
    }).warnings.map((text) => text.replace(/^\[[^\]]*\] /, ""));
  const denied = { networkRules: { defaultAction: "Deny" } };

  it.each([
    [{ accountKind: "FileStorage" }, "deadLetter.storageAccount is of the kind FileStorage"],
    [{ sharedAccessKeyEnabled: false }, "deadLetter.storageAccount refuses the access keys"],
    [{ publicNetworkAccessEnabled: false }, "deadLetter.storageAccount closes its network"],
    [denied, "deadLetter.storageAccount closes its network"],
  ])("is warned of: %j", (settings, warning) => {
    expect(warningsOf(settings)).toEqual([expect.stringContaining(warning)]);
    expect(warningsOf(settings, undefined, true)).toEqual([expect.stringContaining(warning)]);
  });

  it("is warned of where the identity of a namespace would dead-letter", () => {
    const warnings = synthesized((scope) => {
      const account = new StorageAccount(scope, "account", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
        accountTier: "Standard",
        accountReplicationType: "LRS",
        accountKind: "FileStorage",
      });
      const namespace = new CloudEventGridNamespace(scope, "events", {
        resourceGroupName: "shop",
        location: "westeurope",
      });
      new CloudEventGridPullBinding(scope, "orders", {
        topic: namespace.addTopic("orders"),
        eventSubscriptionName: "shop",
        receiver: existing.writerId,
        deadLetter: { storageAccount: account, container: "dead" },
      });
    }).warnings;
    expect(warnings).toEqual([
      "deadLetter.storageAccount is of the kind FileStorage, which has no blobs",
    ]);
  });

  it("is warned of if even a trusted service with an identity is refused", () => {
    const none = { networkRules: { defaultAction: "Deny", bypass: ["None"] } };
    expect(warningsOf(none, principal)).toEqual([expect.stringContaining("closes its network")]);
  });

  it.each([{ sharedAccessKeyEnabled: false }, denied, { publicNetworkAccessEnabled: false }])(
    "is no reason to warn with an identity: %j",
    (settings) => expect(warningsOf(settings, principal)).toEqual([]),
  );
});
