import { ApplicationRegistration } from "@cdktf/provider-azuread/lib/application-registration/index.js";
import { TerraformStack, Testing } from "cdktf";
import {
  CloudEventGridBinding,
  EventGridServicePrincipal,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import {
  Synthesized,
  stackWithProviders,
  synthesized,
  testApp,
} from "../../support/synthesized.js";
import { existing, received, receivedWithoutApplication } from "../fixtures.js";
import { problemsOf } from "../problems.js";

type ApplicationProps = Partial<Parameters<typeof WebhookApplication.fromClientId>[2]>;

const fromClientId = (scope: TerraformStack, props: ApplicationProps) =>
  WebhookApplication.fromClientId(scope, "webhook", { clientId: existing.clientId, ...props });

const eventGrid = "event-grid-principal-4962773b-9cdb-44cf-a8bf-237846a00ab7";

describe("an application that the stack creates", () => {
  const stack = synthesized((scope) => {
    const application = new WebhookApplication(scope, "webhook", {
      displayName: "orders webhook",
      clientSecret: { rotateWhenChanged: { rotation: "2026-01" }, endDate: "2030-01-01T00:00:00Z" },
    });
    new CloudEventGridBinding(scope, "orders", { ...receivedWithoutApplication, application });
  });

  it("gets the app role as Microsoft's script writes it", () => {
    expect(stack.one("azuread_application_app_role")).toEqual({
      application_id: expect.stringMatching(/^\$\{azuread_application_registration\..*\.id\}$/),
      role_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
      display_name: "AzureEventGridSecureWebhookSubscriber",
      value: "AzureEventGridSecureWebhookSubscriber",
      description: "Azure Event Grid Role",
      allowed_member_types: ["Application", "User"],
    });
  });

  it("gets its service principal after the role", () => {
    expect(stack.waits("azuread_service_principal", "webhook/principal")).toEqual(["webhook/role"]);
    expect(stack.one("azuread_service_principal", "webhook/principal")).not.toHaveProperty(
      "use_existing",
    );
  });

  it("gets a secret only on request, rotated when one of the given values changes", () => {
    expect(stack.one("azuread_application_password")).toEqual({
      application_id: expect.stringContaining("azuread_application_registration"),
      end_date: "2030-01-01T00:00:00Z",
      rotate_when_changed: { rotation: "2026-01" },
      lifecycle: { create_before_destroy: true },
    });
    const without = synthesized((scope) => {
      const application = new WebhookApplication(scope, "webhook", { displayName: "orders" });
      expect(application.clientSecret).toBeUndefined();
    });
    expect(without.all("azuread_application_password")).toEqual([]);
  });

  it("assigns the role to Event Grid, to itself and to the identity that applies", () => {
    const holders = stack.all("azuread_app_role_assignment").map(({ path, body }) => ({
      path,
      principal: body.principal_object_id,
    }));
    expect(holders).toEqual([
      {
        path: "webhook/subscriber/caller",
        principal: expect.stringContaining("data.azurerm_client_config"),
      },
      {
        path: "webhook/subscriber/client",
        principal: expect.stringContaining("{azuread_service_principal.webhook_principal"),
      },
      {
        path: "webhook/subscriber/event-grid",
        principal: expect.stringContaining(
          `data.azuread_service_principal.cloud-eventgrid_${eventGrid}`,
        ),
      },
    ]);
  });

  it("never makes the number of assignments depend on its principal, which is unknown at the first plan", () => {
    for (const { body } of stack.all("azuread_app_role_assignment")) {
      expect(body).not.toHaveProperty("count");
    }
  });
});

describe("an existing application", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", received);
  });
  const path = `cloud-eventgrid/application-${existing.clientId}`;

  it("is looked up together with its principal, without dependencies", () => {
    for (const type of ["data.azuread_application", "data.azuread_service_principal"]) {
      for (const { body } of stack.all(type)) expect(body).not.toHaveProperty("depends_on");
    }
    expect(stack.all("azuread_service_principal")).toEqual([]);
  });

  it("gets the app role only if it does not have it, at the first plan and at every later one", () => {
    const role = stack.one("azuread_application_app_role", `${path}/role`);
    const found =
      /lookup\(data\.azuread_application\.\S+\.app_role_ids, "AzureEventGridSecureWebhookSubscriber", "([0-9a-f-]{36})"\)/;
    expect(role.count).toMatch(/^\$\{\(lookup\(.*\) == "[0-9a-f-]{36}"\) \? 1 : 0\}$/);
    expect(found.exec(String(role.count))?.[1]).toBe(role.role_id);
    for (const { body } of stack.all("azuread_app_role_assignment")) {
      expect(found.exec(String(body.app_role_id))?.[1]).toBe(role.role_id);
    }
  });

  it("assigns the role after adding it and waiting until Graph knows it everywhere", () => {
    for (const holder of ["event-grid", "client", "caller"]) {
      expect(stack.waits("azuread_app_role_assignment", `${path}/subscriber/${holder}`)).toEqual([
        `${path}/role`,
        `${path}/role-replication`,
      ]);
    }
    expect(stack.one("terraform_data", `${path}/role-replication`)).toMatchObject({
      count: stack.one("azuread_application_app_role", `${path}/role`).count,
      provisioner: [{ "local-exec": { command: "sleep 40 || ping -n 41 127.0.0.1" } }],
    });
  });

  it("creates no second assignment if the identity that applies is the application itself", () => {
    expect(stack.one("azuread_app_role_assignment", `${path}/subscriber/caller`).count).toMatch(
      /^\$\{contains\(\[lower\(data\.azuread_service_principal\..*_principal_\w+\.object_id\)\], lower\(data\.azurerm_client_config\..*\.object_id\)\) \? 0 : 1\}$/,
    );
  });

  it("gets a service principal on request", () => {
    const provisioned = synthesized((scope) => {
      const application = fromClientId(scope, { servicePrincipal: "provision" });
      new CloudEventGridBinding(scope, "orders", { ...receivedWithoutApplication, application });
    });
    expect(provisioned.one("azuread_service_principal")).toEqual({
      client_id: existing.clientId,
      // The creator must be an owner to destroy it with Application.ReadWrite.OwnedBy.
      owners: [expect.stringMatching(/^\$\{data\.azuread_client_config\..*\.object_id\}$/)],
      lifecycle: { ignore_changes: ["owners"] },
      depends_on: [expect.stringContaining("azuread_application_app_role")],
    });
    expect(
      provisioned.one("azuread_app_role_assignment", `${path}/subscriber/caller`),
    ).not.toHaveProperty("count");
  });

  it("leaves out assignments that exist already", () => {
    const left = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        existingAssignments: ["eventGrid", "client", "writers", "clientAtScope"],
      });
    });
    expect(left.all("azuread_app_role_assignment")).toEqual([]);
    expect(left.all("azurerm_role_assignment")).toEqual([]);
  });

  it("fails synthesis if its client ID comes from a resource of the same stack", () => {
    expect(
      problemsOf((scope) => {
        const registration = new ApplicationRegistration(scope, "own", { displayName: "own" });
        new CloudEventGridBinding(scope, "orders", {
          ...received,
          cloudClientId: registration.clientId,
        });
      }),
    ).toEqual(["clientId: known-at-plan"]);
  });
});

describe("one application of several bindings", () => {
  it("must be in the cloud of its bindings", () => {
    expect(
      problemsOf((scope) => {
        const application = new WebhookApplication(scope, "webhook", { displayName: "orders" });
        new CloudEventGridBinding(scope, "orders", {
          ...receivedWithoutApplication,
          application,
          cloudEnvironment: "usgovernment",
        });
      }),
    ).toEqual(["cloudEnvironment: application"]);
  });

  it("has a different role ID in each stack, the same at every synthesis", () => {
    const roleIdIn = (name: string) => {
      const stack = new TerraformStack(testApp(), name);
      new WebhookApplication(stack, "webhook", { displayName: "orders webhook" });
      return /"role_id": "([^$"]+)"/.exec(Testing.synth(stack))?.[1];
    };
    expect(roleIdIn("orders")).toBe("a9c9eced-7064-570c-b230-3c5d8bed921f");
    expect(roleIdIn("parcels")).not.toBe(roleIdIn("orders"));
  });

  it("must be named by client ID in another stack", () => {
    const app = testApp();
    const first = stackWithProviders("first", app);
    const second = stackWithProviders("second", app);
    const application = new WebhookApplication(first, "webhook", { displayName: "orders" });
    new CloudEventGridBinding(second, "orders", { ...receivedWithoutApplication, application });
    expect(() => app.synth()).toThrow(
      "application belongs to the stack first: in this stack, use WebhookApplication.fromClientId " +
        'with its clientId, and existingAssignments ["eventGrid", "client"]',
    );

    const again = testApp();
    const owner = stackWithProviders("owner", again);
    const user = stackWithProviders("user", again);
    const { clientId } = new WebhookApplication(owner, "webhook", { displayName: "orders" });
    new CloudEventGridBinding(user, "orders", {
      ...receivedWithoutApplication,
      application: WebhookApplication.fromClientId(user, "webhook", {
        clientId,
        existingAssignments: ["eventGrid", "client"],
      }),
    });
    again.synth();
    const result = new Synthesized(user);
    expect(result.one("data.azuread_application").client_id).toMatch(
      /^\$\{data\.terraform_remote_state\./,
    );
    expect(result.all("azuread_app_role_assignment").map(({ path }) => path)).toEqual([
      expect.stringMatching(/^cloud-eventgrid\/application-[0-9a-f]{8}\/subscriber\/caller$/),
    ]);
  });
});

describe("Event Grid's own service principal", () => {
  it("is looked up once, by the application ID of its cloud", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        cloudEnvironment: "usgovernment",
      });
    });
    expect(stack.all("data.azuread_service_principal").map(({ body }) => body.client_id)).toEqual([
      existing.clientId,
      "54316b56-3481-47f9-8f30-0300f5542a7b",
    ]);
  });

  it("can be named by its application ID, which the China cloud requires", () => {
    const cloudEnvironment = "china";
    const stack = synthesized((scope) => {
      const eventGridApplicationId = "11111111-2222-3333-4444-00000000c41a";
      new CloudEventGridBinding(scope, "orders", {
        ...receivedWithoutApplication,
        cloudEnvironment,
        application: fromClientId(scope, { cloudEnvironment, eventGridApplicationId }),
      });
    });
    expect(stack.all("data.azuread_service_principal").map(({ body }) => body.client_id)).toEqual([
      existing.clientId,
      "11111111-2222-3333-4444-00000000c41a",
    ]);
    expect(
      problemsOf((scope) => {
        new CloudEventGridBinding(scope, "orders", { ...received, cloudEnvironment });
      }),
    ).toEqual(["eventGridApplicationId: required"]);
  });

  it("is created only by its own construct, and never destroyed", () => {
    const stack = synthesized((scope) => {
      new EventGridServicePrincipal(scope, "event-grid");
    });
    expect(stack.shape).toEqual(["azuread_service_principal event-grid/principal"]);
    expect(stack.one("azuread_service_principal")).toEqual({
      client_id: "4962773b-9cdb-44cf-a8bf-237846a00ab7",
      lifecycle: { prevent_destroy: true },
    });
  });
});
