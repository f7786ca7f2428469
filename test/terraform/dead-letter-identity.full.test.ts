import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { CloudEventGridTopic, type CloudEventGridTopicProps } from "cloud-eventgrid-binding";
import { afterEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

type TopicIdentity = Exclude<CloudEventGridTopicProps["identity"], "none" | undefined>;

let shop: Scenario;
afterEach(() => shop.stop());

interface Changes {
  /** The topic's identity, which then dead-letters; without one, nothing does. */
  readonly identity?: TopicIdentity;
  readonly tags?: Readonly<Record<string, string>>;
  readonly roleEffectSeconds?: number;
  /** How the props name the principal of the topic's identity. */
  readonly principalOf?: (topic: CloudEventGridTopic) => string | undefined;
}

/** A topic, and a binding that dead-letters with the topic's own identity if it has one. */
async function write({ principalOf = () => undefined, ...changes }: Changes): Promise<void> {
  const { identity, tags, roleEffectSeconds } = changes;
  await shop.write((stack) => {
    const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
    const place = { resourceGroupName: group.name, location: "westeurope" };
    const topic = new CloudEventGridTopic(stack, "topic", {
      ...place,
      topicName: "orders",
      identity: identity ?? "none",
      ...(tags && { tags }),
    });
    const account = new StorageAccount(stack, "letters", {
      ...place,
      name: "letters",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
    const container = new StorageContainer(stack, "dead", {
      name: "dead",
      storageAccountId: account.id,
    });
    shop.binding(stack, {
      scope: topic.id,
      ...(identity?.type === "SystemAssigned" && {
        deadLetter: {
          storageAccount: account,
          container,
          identity: { type: "SystemAssigned", principalId: principalOf(topic) },
        },
        roleEffectSeconds: roleEffectSeconds ?? 0,
      }),
    });
  });
}

const SYSTEM = { type: "SystemAssigned" } as const;

describeWithTerraform("a topic's system-assigned identity for dead letters", () => {
  it("gets its role in the same apply, which waits until the role has taken effect", async () => {
    shop = await Scenario.start({ roleAssignmentDelaySeconds: 1 });
    await write({ identity: SYSTEM, roleEffectSeconds: 2 });
    await shop.apply();
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      {
        provisioningState: "Succeeded",
        settings: { deadLetter: { properties: { blobContainerName: "dead" } } },
      },
    ]);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
    expect(shop.cloud.control.roleAssignments.list()).toHaveLength(1);
  });

  it("is refused by Azure if roleEffectSeconds is 0", async () => {
    shop = await Scenario.start({ roleAssignmentDelaySeconds: 600 });
    await write({ identity: SYSTEM });
    expect(await shop.failedApply()).toContain("is not allowed to dead-letter into");
    expect(shop.handshakes).toEqual([]);
  });
});

/** azurerm plans the principal of an identity that is added to a topic as null. */
describeWithTerraform("an identity that is added to a topic together with its dead letter", () => {
  const added = ["create azurerm_role_assignment", "create terraform_data"];
  const updated = ["update azurerm_eventgrid_event_subscription", "update azurerm_eventgrid_topic"];

  it.each([
    ["not named", () => undefined],
    ["named by the topic", (topic: CloudEventGridTopic) => topic.principalId],
    ["named by its resource", (topic: CloudEventGridTopic) => topic.resource.identity.principalId],
  ])("is applied at once, and is left alone by later changes, if it is %s", async (_, named) => {
    shop = await Scenario.start();
    await write({});
    await shop.apply();
    const props = { identity: SYSTEM, principalOf: named };
    await write(props);
    expect(await shop.apply()).toEqual(expect.arrayContaining([...added, ...updated]));
    expect(await shop.plan()).toEqual([]);
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      { settings: { deadLetter: { properties: { blobContainerName: "dead" } } } },
    ]);
    await write({ ...props, tags: { team: "orders" } });
    expect(await shop.apply()).toEqual(["update azurerm_eventgrid_topic"]);
    await shop.destroyAll();
  });

  it("may replace a user-assigned identity", async () => {
    shop = await Scenario.start();
    // Its group is not here, and so it may exist.
    const id = `${shop.group}-identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders`;
    await write({ identity: { type: "UserAssigned", userAssignedIdentities: [id] } });
    await shop.apply();
    await write({ identity: SYSTEM });
    expect(await shop.apply()).toEqual(expect.arrayContaining([...added, ...updated]));
    expect(await shop.plan()).toEqual([]);
  });

  it("fails an assignment of your own, unless that uses the topic's principalId", async () => {
    shop = await Scenario.start();
    const add = (principalOf?: (topic: CloudEventGridTopic) => string | undefined) =>
      shop.write((stack) => {
        const topic = shop.topic(stack, {
          identity: principalOf ? SYSTEM : "none",
        });
        const principalId = principalOf?.(topic);
        if (principalId === undefined) return;
        const roleDefinitionName = "EventGrid Contributor";
        new RoleAssignment(stack, "own", { scope: shop.group, roleDefinitionName, principalId });
      });
    await add();
    await shop.apply();
    await add(({ resource }) => resource.identity.principalId);
    expect(await shop.failedApply()).toContain('The argument "principal_id" is required');
    await add(({ principalId }) => principalId);
    await shop.applyCleanly();
  });

  it("can be destroyed before it is applied", async () => {
    shop = await Scenario.start();
    await write({});
    await shop.apply();
    await write({ identity: SYSTEM });
    await shop.destroyAll();
  });
});
