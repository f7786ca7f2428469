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

describe("an application that the stack creates", () => {
  const stack = synthesized((scope) => {
    const application = new WebhookApplication(scope, "webhook", {
      displayName: "orders webhook",
      clientSecret: { rotateWhenChanged: { rotation: "2026-01" }, endDate: "2030-01-01T00:00:00Z" },
    });
    new CloudEventGridBinding(scope, "orders", { ...receivedWithoutApplication, application });
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
});

describe("an existing application", () => {
  const path = `cloud-eventgrid/application-${existing.clientId}`;

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

  it.each([
    ["eventGrid", ["caller", "client"]],
    ["client", ["caller", "event-grid"]],
    ["writers", ["client", "event-grid"]],
  ] as const)("assigns everything but what exists: %s", (existing, assigned) => {
    const stack = synthesized((scope) => {
      const existingAssignments = [existing];
      new CloudEventGridBinding(scope, "orders", { ...received, existingAssignments });
    });
    const paths = stack
      .all("azuread_app_role_assignment")
      .map(({ path }) => path.split("/").at(-1));
    expect(paths.sort()).toEqual(assigned);
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
