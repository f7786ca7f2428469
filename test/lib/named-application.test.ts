import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { type TerraformStack, TerraformVariable } from "cdktf";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { describe, expect, it } from "vitest";
import {
  problemsOf,
  Synthesized,
  stackWithProviders,
  synthesized,
  testApp,
} from "../support/synthesized.js";
import { existing, received, receivedWithoutApplication } from "./fixtures.js";

type Props = Partial<Parameters<typeof WebhookApplication.fromClientId>[2]>;

const fromClientId = (scope: Construct, id = "webhook", props: Props = {}) =>
  WebhookApplication.fromClientId(scope, id, { clientId: existing.clientId, ...props });

const byConstruct = (scope: TerraformStack, from: Construct = scope, id = "webhook") => {
  new CloudEventGridBinding(scope, "orders", {
    ...receivedWithoutApplication,
    application: fromClientId(from, id),
  });
};

/** Everything that is declared, without where the constructs are said to come from. */
const declared = (build: (stack: TerraformStack) => void) => {
  const stack = synthesized(build);
  return { resources: stack.json.resource, data: stack.json.data };
};

describe("an application that exists is the same however it is named", () => {
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
      "a second time, by nobody's use",
      (scope) => {
        byConstruct(scope);
        fromClientId(scope, "again");
      },
    ],
    [
      "through the provider that is the default one anyway",
      (scope) => {
        const azuread = scope.node
          .findAll()
          .find((one): one is AzureadProvider => one instanceof AzureadProvider);
        if (azuread === undefined) throw new Error("the stack has no azuread provider");
        new CloudEventGridBinding(scope, "orders", { ...received, azuread });
      },
    ],
  ])("%s", (_how, build) => {
    const text = JSON.stringify(declared(build))
      .replaceAll(existing.clientId.toUpperCase(), existing.clientId)
      .replaceAll(/,"provider":"azuread"(?=[,}])/g, "");
    expect(JSON.parse(text)).toEqual(byClientId);
  });

  it("and by a variable, each time it is read", () => {
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
    expect(stack.all("azuread_app_role_assignment")).toHaveLength(3);
    expect(stack.all("azuread_application_app_role")).toHaveLength(1);
  });

  it("and two of other stacks are two, also where their constructs are called the same", () => {
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

describe("an application that is named twice in one stack", () => {
  it("has one role, and no assignment is made twice", () => {
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

  it("is described in one way: every difference is said, with where the other one is", () => {
    expect(
      problemsOf((scope) => {
        fromClientId(scope, "webhook", {
          existingAssignments: ["client", "eventGrid"],
          servicePrincipal: "provision",
        });
        new CloudEventGridBinding(scope, "orders", received);
      }),
    ).toEqual([
      `servicePrincipal of the application ${existing.clientId} is "lookup" here, but "provision" ` +
        "where orders/webhook names the same application: say the same in both places, or pass one " +
        "construct of WebhookApplication.fromClientId to both",
      `existingAssignments of the application ${existing.clientId} is [] here, but ` +
        '["eventGrid","client"] where orders/webhook names the same application: say the same in ' +
        "both places, or pass one construct of WebhookApplication.fromClientId to both",
    ]);
  });

  it("may be described in other words that mean the same", () => {
    expect(
      problemsOf((scope) => {
        fromClientId(scope, "webhook", {
          existingAssignments: ["client", "eventGrid"],
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

  it("is warned of where the names go through two providers, which may be of one tenant", () => {
    const stack = synthesized((scope) => {
      const azuread = new AzureadProvider(scope, "partner", { alias: "partner" });
      new CloudEventGridBinding(scope, "orders", received);
      for (const id of ["parcels", "invoices"]) {
        new CloudEventGridBinding(scope, id, { ...received, azuread });
      }
    });
    expect(stack.warnings).toEqual([
      `the application ${existing.clientId} is named through the stack's own azuread provider and ` +
        'through the azuread provider "partner": where both sign in to the same tenant its app role ' +
        "is made and assigned twice, which Entra refuses. Give the same azuread wherever the " +
        "application is named",
    ]);
  });

  it("is the same, too, where one binding is given what another made of its client ID", () => {
    const build = (props: object) => (scope: TerraformStack) => {
      const first = new CloudEventGridBinding(scope, "orders", {
        ...received,
        servicePrincipal: "provision",
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
      expect.stringContaining(
        "cannot sign in as an application whose service principal the same stack makes",
      ),
    ]);
  });
});
