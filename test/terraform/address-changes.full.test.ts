import { DataAzurermEventgridTopic } from "@cdktf/provider-azurerm/lib/data-azurerm-eventgrid-topic/index.js";
import { type CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { signIn } from "../local/support/management-client.js";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

/**
 * How long the same assignment conflicts with a deleted one, on a clock that only the test moves.
 */
const DELETION_SECONDS = 600;
const PERMISSION_EXISTS = "Permission being assigned already exists on the object";

let shop: Scenario;
let clientId: string;
beforeEach(async () => {
  const control = { assignmentDeletionDelaySeconds: DELETION_SECONDS };
  shop = await Scenario.start(control, {}, "stepped");
  await shop.createGroup();
  clientId = shop.newApplication();
});
afterEach(() => shop.stop());

const untilForgotten = () => shop.cloud.clock.advance({ seconds: DELETION_SECONDS });

/** Addresses in the state that match a pattern. */
const addresses = async (pattern: RegExp) =>
  (await shop.terraform.state()).map(({ address }) => address).filter((each) => pattern.test(each));

/** Addresses of the resources that a plan creates or deletes, as a user reads them. */
const planned = async (action: "create" | "delete", type: string) =>
  (await shop.terraform.plan()).changes.flatMap((change) =>
    change.action === action && change.type === type ? [change.address] : [],
  );

/** Moves the resource that would be deleted to the address that would be created. */
async function moveOnly(type: string): Promise<void> {
  const [from] = await planned("delete", type);
  const [to] = await planned("create", type);
  await shop.terraform.moveState(from ?? "", to ?? "");
}

describeWithTerraform("the identity that applies, when it becomes a named writer", () => {
  /** The pipeline's object ID as a literal, as in the docs. */
  const pipeline = async () => {
    const [caller] = (await shop.terraform.state()).filter(({ address }) =>
      /subscriber_caller/.test(address),
    );
    return [
      { objectId: String(caller?.values.principal_object_id), principalType: "ServicePrincipal" },
    ];
  };

  it("cannot get a second assignment while the first is being deleted", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    await shop.write(shop.orders(clientId, { writerPrincipals: await pipeline() }));
    expect(await shop.failedApply()).toContain(PERMISSION_EXISTS);
    await untilForgotten();
    await shop.apply();
    expect(await shop.plan(), "the next apply goes through").toEqual([]);
  });

  it("can change in two applies, first without an assignment", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    const writerPrincipals = await pipeline();

    await shop.write(shop.orders(clientId, { existingAssignments: ["writers"] }));
    expect(await shop.apply()).toEqual(["delete azuread_app_role_assignment"]);
    await untilForgotten();
    await shop.write(shop.orders(clientId, { writerPrincipals }));
    expect(await shop.apply()).toEqual([
      "create azuread_app_role_assignment",
      "create azurerm_role_assignment",
    ]);
    expect(await shop.plan()).toEqual([]);
    expect(shop.handshakes, "the subscription is left alone").toHaveLength(1);
  });

  it("can change in one apply with terraform state mv", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    await shop.write(shop.orders(clientId, { writerPrincipals: await pipeline() }));
    await moveOnly("azuread_app_role_assignment");
    expect(await shop.apply()).toEqual(["create azurerm_role_assignment"]);
    expect(await shop.plan()).toEqual([]);
  });
});

describeWithTerraform("a renamed key of additionalScopes", () => {
  const build = (key: string, moved?: (binding: CloudEventGridBinding) => void) =>
    shop.write((stack) => {
      const binding = shop.binding(stack, {
        cloudClientId: clientId,
        additionalScopes: { [key]: shop.group },
      });
      moved?.(binding);
    });

  it("keeps its subscription with a moved block", async () => {
    await build("uploads");
    await shop.apply();
    const [from = ""] = await addresses(/orders_subscription-uploads/);
    await build("files", ({ subscriptions }) => subscriptions[1]?.moveFromId(from));
    expect(await shop.apply()).toEqual(["move azurerm_eventgrid_event_subscription"]);
    expect(await addresses(/orders_subscription-/)).toEqual([expect.stringContaining("-files_")]);
    await build("files");
    expect(await shop.plan(), "the block can go afterwards").toEqual([]);
    expect(shop.handshakes).toHaveLength(2);
  });

  it("keeps its subscription with terraform state mv", async () => {
    await build("uploads");
    await shop.apply();
    await build("files");
    await moveOnly("azurerm_eventgrid_event_subscription");
    expect(await shop.plan()).toEqual([]);
  });
});

describeWithTerraform("a scope that changes from a literal to a reference", () => {
  const write = (scopeOf: (stack: ShopStack) => string) =>
    shop.write((stack) => {
      shop.binding(stack, { cloudClientId: clientId, scope: scopeOf(stack) });
    });
  const literal = () => `${shop.group}/providers/Microsoft.EventGrid/topics/orders`;
  const reference = (stack: ShopStack) =>
    new DataAzurermEventgridTopic(stack, "topic", { name: "orders", resourceGroupName: "shop" }).id;

  beforeEach(async () => {
    const call = await signIn(shop.cloud);
    await call("POST", `${shop.subscription}/providers/Microsoft.EventGrid/register`);
    await call("PUT", literal(), { location: "westeurope" });
  });

  it("fails, because Azure refuses the same role assignment twice", async () => {
    await write(literal);
    await shop.apply();
    await write(reference);
    expect(await shop.failedApply()).toContain("RoleAssignmentExists");
  });

  it("changes nothing with terraform state mv", async () => {
    await write(literal);
    await shop.apply();
    await write(reference);
    await moveOnly("azurerm_role_assignment");
    expect(await shop.apply()).toEqual([]);
    expect(await shop.plan()).toEqual([]);
    expect(shop.handshakes).toHaveLength(1);
  });
});

describeWithTerraform("an application that replaces another", () => {
  const holders = (id: string) => {
    const { tenant } = shop;
    const principal = tenant.servicePrincipals.byClientId(id);
    const held = tenant.appRoleAssignments.list() ?? [];
    return held.filter(({ resourceId }) => resourceId === principal?.objectId).length;
  };

  it("gets role and rights before the subscription uses it", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    const other = shop.cloud.applications.create({ displayName: "parcels", roles: [] });
    await shop.write(shop.orders(other.clientId));
    const changes = await shop.apply();
    expect(changes).toContain("update azurerm_eventgrid_event_subscription");
    expect(await shop.plan()).toEqual([]);
    expect([holders(clientId), holders(other.clientId)]).toEqual([0, 3]);
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      { provisioningState: "Succeeded", settings: { clientId: other.clientId } },
    ]);
    expect(shop.handshakes).toHaveLength(2);
  });

  it("may be created by the stack", async () => {
    const write = (id: string) =>
      shop.write((stack) => {
        const application = new WebhookApplication(stack, id, { displayName: id });
        shop.orders("", { cloudClientId: undefined, application })(stack);
      });
    await write("first");
    await shop.apply();
    await write("second");
    expect(await shop.apply()).toContain("update azurerm_eventgrid_event_subscription");
    expect(await shop.plan()).toEqual([]);
    expect(shop.handshakes).toHaveLength(2);
    await shop.destroyAll();
  });

  it("cannot write before it has its role, so that a refresh must be skipped", async () => {
    const [first, second] = ["first", "second"].map((displayName) => {
      const made = shop.cloud.applications.create({ displayName, secret: "s3cret", roles: [] });
      const { objectId } = made.servicePrincipal;
      const { subscription } = shop;
      shop.cloud.control.assignRole("Reader", objectId, subscription);
      return made.clientId;
    });
    const byClient = (id = "") =>
      shop.orders(id, { writer: "client", cloudClientSecret: "s3cret", roleEffectSeconds: 1 });
    await shop.write(byClient(first));
    await shop.apply();
    await shop.write(byClient(second));
    const failure = await shop.failedApply();
    expect(failure).toContain("AuthorizationFailed");
    expect(failure).toContain("'Microsoft.EventGrid/eventSubscriptions/getFullUrl/action'");

    await shop.terraform.apply({ refresh: false });
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      { settings: { clientId: second } },
    ]);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
  });
});

describeWithTerraform("a principal that changes from created to looked up", () => {
  const write = (servicePrincipal: "provision" | "lookup") =>
    shop.write((stack) => {
      const props = { clientId, servicePrincipal };
      const application = WebhookApplication.fromClientId(stack, "webhook", props);
      shop.binding(stack, { application });
    });
  const principal = () => shop.tenant.servicePrincipals.byClientId(clientId);

  beforeEach(async () => {
    const { tenant } = shop;
    tenant.deleteServicePrincipal(principal()?.objectId ?? "");
    await write("provision");
    await shop.apply();
    await write("lookup");
  });

  it("is planned to be deleted", async () => {
    expect(await shop.plan()).toContain("delete azuread_service_principal");
  });

  it("stays with its assignments if it is removed from the state", async () => {
    const [address = ""] = await planned("delete", "azuread_service_principal");
    await shop.terraform.forget(address);
    await moveOnly("azurerm_role_assignment");
    // From here on a condition compares the caller with the application, which gives the assignment
    // an index.
    expect(await shop.apply()).toEqual(["move azuread_app_role_assignment"]);
    expect(await shop.plan()).toEqual([]);
    expect(principal()).toBeDefined();
  });
});
