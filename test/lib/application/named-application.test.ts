import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { type TerraformStack, TerraformVariable } from "cdktf";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { describe, expect, it } from "vitest";
import {
  Synthesized,
  stackWithProviders,
  synthesized,
  testApp,
} from "../../support/synthesized.js";
import { existing, received, receivedWithoutApplication } from "../fixtures.js";
import { problemsOf } from "../problems.js";

type Props = Partial<Parameters<typeof WebhookApplication.fromClientId>[2]>;

const fromClientId = (scope: Construct, id = "webhook", props: Props = {}) =>
  WebhookApplication.fromClientId(scope, id, { clientId: existing.clientId, ...props });

const byConstruct = (scope: TerraformStack, from: Construct = scope, id = "webhook") => {
  new CloudEventGridBinding(scope, "orders", {
    ...receivedWithoutApplication,
    application: fromClientId(from, id),
  });
};

/** Everything that is declared, without the metadata of constructs. */
const declared = (build: (stack: TerraformStack) => void) => {
  const stack = synthesized(build);
  return { resources: stack.json.resource, data: stack.json.data };
};

describe("an existing application is the same application", () => {
  const byClientId = declared((scope) => {
    new CloudEventGridBinding(scope, "orders", received);
  });

  it.each<[string, (scope: TerraformStack) => void]>([
    ["as a construct", (scope) => byConstruct(scope)],
    ["under another id", (scope) => byConstruct(scope, scope, "renamed")],
    ["within another construct", (scope) => byConstruct(scope, new Construct(scope, "service"))],
    [
      "in capital letters",
      (scope) => {
        new CloudEventGridBinding(scope, "orders", {
          ...received,
          cloudClientId: existing.clientId.toUpperCase(),
        });
      },
    ],
    [
      "a second time, without being used",
      (scope) => {
        byConstruct(scope);
        fromClientId(scope, "again");
      },
    ],
    [
      "through the default provider",
      (scope) => {
        const azuread = scope.node
          .findAll()
          .find((one): one is AzureadProvider => one instanceof AzureadProvider);
        if (azuread === undefined) throw new Error("the stack has no azuread provider");
        new CloudEventGridBinding(scope, "orders", {
          ...receivedWithoutApplication,
          application: fromClientId(scope, "webhook", { azuread }),
        });
      },
    ],
  ])("is recognised when it is named %s", (_how, build) => {
    const text = JSON.stringify(declared(build))
      .replaceAll(existing.clientId.toUpperCase(), existing.clientId)
      .replaceAll(/,"provider":"azuread"(?=[,}])/g, "");
    expect(JSON.parse(text)).toEqual(byClientId);
  });

  it("is recognised when a variable names it several times", () => {
    const stack = synthesized((scope) => {
      const variable = new TerraformVariable(scope, "client_id", { type: "string" });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        cloudClientId: variable.stringValue,
      });
      new CloudEventGridBinding(scope, "parcels", {
        ...receivedWithoutApplication,
        application: fromClientId(scope, "webhook", { clientId: variable.stringValue }),
      });
    });
    expect(stack.one("data.azuread_application").client_id).toBe("${var.client_id}");
    expect(stack.all("azuread_app_role_assignment")).toHaveLength(3);
    expect(stack.all("azuread_application_app_role")).toHaveLength(1);
  });

  it("unless the names come from different stacks, even from constructs with the same path", () => {
    const app = testApp();
    const user = stackWithProviders("user", app);
    for (const name of ["first", "second"]) {
      const owner = stackWithProviders(name, app);
      const { clientId } = new WebhookApplication(owner, "webhook", { displayName: name });
      fromClientId(user, name, { clientId, existingAssignments: ["eventGrid", "client"] });
    }
    app.synth();
    expect(new Synthesized(user).all("data.azuread_application")).toHaveLength(2);
  });
});

describe("an application that is named twice in a stack", () => {
  it("has one role, and every assignment once", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
      for (const id of ["parcels", "invoices"]) {
        new CloudEventGridBinding(scope, id, {
          ...receivedWithoutApplication,
          application: fromClientId(scope, `${id}-webhook`),
        });
      }
    });
    const owner = `cloud-eventgrid/application-${existing.clientId}`;
    expect(stack.all("azuread_application_app_role").map(({ path }) => path)).toEqual([
      `${owner}/role`,
    ]);
    expect(stack.all("azuread_app_role_assignment").map(({ path }) => path)).toEqual([
      `${owner}/subscriber/caller`,
      `${owner}/subscriber/client`,
      `${owner}/subscriber/event-grid`,
    ]);
    expect(stack.all("azurerm_role_assignment")).toHaveLength(1);
    expect(stack.all("azurerm_eventgrid_event_subscription")).toHaveLength(3);
  });

  it("fails synthesis with every difference between its props", () => {
    expect(
      problemsOf((scope) => {
        fromClientId(scope, "webhook", {
          existingAssignments: ["client", "eventGrid"],
          servicePrincipal: "provision",
        });
        new CloudEventGridBinding(scope, "orders", received);
      }),
    ).toEqual(["servicePrincipal: same-application", "existingAssignments: same-application"]);
  });

  it("may have props that differ only in form", () => {
    expect(
      problemsOf((scope) => {
        fromClientId(scope, "webhook", {
          existingAssignments: ["client", "eventGrid"],
          servicePrincipal: "lookup",
          eventGridApplicationId: "4962773B-9cdb-44cf-a8bf-237846a00ab7",
        });
        new CloudEventGridBinding(scope, "orders", {
          ...received,
          cloudEnvironment: "public",
          existingAssignments: ["eventGrid", "writers", "client"],
        });
      }),
    ).toEqual([]);
  });

  it("is shared when one binding gets the application of another", () => {
    const build = (props: object) => (scope: TerraformStack) => {
      const first = new CloudEventGridBinding(scope, "orders", {
        ...receivedWithoutApplication,
        application: fromClientId(scope, "webhook", { servicePrincipal: "provision" }),
      });
      if (first.application === undefined) throw new Error("the binding has no application");
      new CloudEventGridBinding(scope, "parcels", {
        ...receivedWithoutApplication,
        application: first.application,
        ...props,
      });
    };
    expect(synthesized(build({})).all("azuread_app_role_assignment")).toHaveLength(3);
    expect(problemsOf(build({ writer: "client", cloudClientSecret: "secret" }))).toEqual([
      "writer: client-sign-in",
    ]);
  });
});
