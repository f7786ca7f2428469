import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { type TerraformStack, TerraformVariable } from "cdktf";
import {
  CloudEventGridBinding,
  type IWebhookApplication,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { problemsOf, synthesized } from "../support/synthesized.js";
import {
  existing,
  identity,
  received,
  receivedWithoutApplication,
  resourceGroup,
} from "./fixtures.js";

const subscriber = `cloud-eventgrid/application-${existing.clientId}/subscriber`;
const definition = `/subscriptions/${existing.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443`;
const byClient = {
  ...received,
  writer: "client",
  cloudClientSecret: "a-literal-secret",
} as const;

describe("the deployer writes", () => {
  it("through the stack's own provider, and is given the app role", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
    });
    expect(stack.providers("azurerm")).toHaveLength(1);
    expect(stack.one("azurerm_eventgrid_event_subscription")).not.toHaveProperty("provider");
    expect(stack.one("azuread_app_role_assignment", `${subscriber}/caller`)).toMatchObject({
      principal_object_id: expect.stringMatching(
        /^\$\{data\.azurerm_client_config\..*object_id\}$/,
      ),
    });
  });

  it("gives only the application the right to write at the scope: whoever applies has to have it", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
    });
    expect(stack.one("azurerm_role_assignment")).toEqual({
      scope: resourceGroup,
      role_definition_id: definition,
      principal_id: expect.stringContaining("data.azuread_service_principal"),
      principal_type: "ServicePrincipal",
      description: "The webhook's application writes event subscriptions at this scope",
    });
  });
});

describe("writers that are named, and get their right from the apply that writes first", () => {
  const withProps = (props: object) =>
    synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        writerPrincipals: [
          { objectId: existing.writerId, type: "servicePrincipal" },
          { objectId: existing.groupId, type: "group" },
        ],
        ...props,
      });
    });

  it("are waited for where that is said, also where one may be the application itself", () => {
    const stack = withProps({ roleEffectSeconds: 90 });
    expect(stack.one("terraform_data", "orders/role-effect")).toMatchObject({
      triggers_replace: {
        "0": expect.stringMatching(/^\$\{azurerm_role_assignment\.[\w-]+\.id\}$/),
        "1": expect.stringMatching(/^\$\{azurerm_role_assignment\.[\w-]+\[\*\]\.id\}$/),
        "2": expect.stringMatching(/^\$\{azurerm_role_assignment\.[\w-]+\.id\}$/),
      },
      provisioner: [{ "local-exec": { command: "setTimeout(() => {}, 90000)" } }],
    });
    expect(stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription")).toContain(
      "orders/role-effect",
    );
  });

  it("are not waited for otherwise: most have their rights already", () => {
    expect(withProps({}).all("terraform_data")).toEqual([]);
  });
});

describe("writers that are named", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      writerPrincipals: [
        { objectId: existing.writerId, type: "servicePrincipal" },
        { objectId: existing.groupId, type: "group" },
      ],
    });
  });

  it("get the app role and the right at the scope, with their type", () => {
    const rights = stack.all("azurerm_role_assignment").map(({ body }) => body);
    expect(rights.map((body) => [body.principal_type, body.principal_id, body.scope])).toEqual(
      expect.arrayContaining([
        [
          "ServicePrincipal",
          expect.stringContaining("data.azuread_service_principal"),
          resourceGroup,
        ],
        ["ServicePrincipal", existing.writerId, resourceGroup],
        ["Group", existing.groupId, resourceGroup],
      ]),
    );
    expect(rights).toHaveLength(3);
    expect(
      stack.all("azuread_app_role_assignment").map(({ body }) => body.principal_object_id),
    ).toEqual(expect.arrayContaining([existing.writerId, existing.groupId]));
  });

  it("stand in the place of whoever applies now", () => {
    expect(stack.all("data.azurerm_client_config")).toEqual([]);
  });

  it("are given nothing twice where one of them is the application itself", () => {
    for (const type of ["azurerm_role_assignment", "azuread_app_role_assignment"]) {
      const named = stack
        .all(type)
        .map(({ body }) => body)
        .filter((body) =>
          [body.principal_id, body.principal_object_id].includes(existing.writerId),
        );
      expect(named).toHaveLength(1);
      expect(named[0]?.count).toMatch(
        new RegExp(
          `^\\$\\{contains\\(\\[lower\\(data\\.azuread_service_principal\\..*object_id\\)\\], lower\\("${existing.writerId}"\\)\\) \\? 0 : 1\\}$`,
        ),
      );
    }
  });

  it("are given nothing twice where one of them is who applies another binding, and wait for that", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
      new CloudEventGridBinding(scope, "invoices", {
        ...received,
        writerPrincipals: [{ objectId: existing.writerId, type: "servicePrincipal" }],
      });
    });
    const named = stack
      .all("azuread_app_role_assignment")
      .find(({ body }) => body.principal_object_id === existing.writerId);
    expect(named?.body.count).toMatch(
      /^\$\{contains\(\[.*lower\(data\.azurerm_client_config\.[\w-]+\.object_id\)\], lower\("[\d-]+"\)\) \? 0 : 1\}$/,
    );
    const waits = stack.waits("azurerm_eventgrid_event_subscription", "invoices/subscription");
    expect(waits).toEqual(expect.arrayContaining([`${subscriber}/caller`, named?.path]));
  });

  it("may be an identity of the same stack, unknown at the first plan", () => {
    const late = synthesized((scope) => {
      const identity = new UserAssignedIdentity(scope, "pipeline", {
        name: "pipeline",
        resourceGroupName: "shop",
        location: "westeurope",
      });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        writerPrincipals: [{ objectId: identity.principalId, type: "servicePrincipal" }],
      });
    });
    const ofPipeline = late
      .all("azurerm_role_assignment")
      .filter(({ body }) => String(body.principal_id).includes("azurerm_user_assigned_identity"));
    expect(ofPipeline).toHaveLength(1);
    expect(ofPipeline[0]?.body).not.toHaveProperty("count");
  });

  it("are waited for", () => {
    expect(
      stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription").sort(),
    ).toEqual(
      [...stack.all("azuread_app_role_assignment"), ...stack.all("azurerm_role_assignment")]
        .map(({ path }) => path)
        .sort(),
    );
  });

  it("can be known by a variable", () => {
    const late = synthesized((scope) => {
      const objectId = new TerraformVariable(scope, "writer", { type: "string" });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        writerPrincipals: [{ objectId: objectId.stringValue, type: "user" }],
      });
    });
    expect(late.one("terraform_data", "orders/preconditions").lifecycle).toMatchObject({
      precondition: [
        {
          error_message:
            "writerPrincipals[0].objectId must be a UUID such as " +
            '11111111-2222-3333-4444-555555555555, but is "${var.writer}"',
        },
      ],
    });
  });
});

describe("a writer that is the webhook's own application", () => {
  const made = (scope: TerraformStack) =>
    new WebhookApplication(scope, "webhook", { displayName: "orders" });

  it.each<[string, (scope: TerraformStack) => IWebhookApplication]>([
    ["made by the stack", made],
    [
      "named by its client ID",
      (scope) => WebhookApplication.fromClientId(scope, "webhook", { clientId: existing.clientId }),
    ],
  ])("and %s is assigned nothing a second time", (_how, create) => {
    const stack = synthesized((scope) => {
      const application = create(scope);
      new CloudEventGridBinding(scope, "orders", {
        ...receivedWithoutApplication,
        application,
        writerPrincipals: [{ objectId: application.principalId, type: "servicePrincipal" }],
      });
    });
    const assigned = stack.all("azuread_app_role_assignment");
    expect(assigned.map(({ path }) => path.replace(/^.*\/subscriber\//, ""))).toEqual([
      "client",
      "event-grid",
    ]);
    for (const { body } of assigned) expect(body).not.toHaveProperty("lifecycle");
    expect(stack.all("azurerm_role_assignment")).toHaveLength(1);
    expect(stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription")).toEqual(
      expect.arrayContaining(assigned.map(({ path }) => path)),
    );
  });

  it("is given nothing at all where somebody else gave it all", () => {
    const stack = synthesized((scope) => {
      const application = WebhookApplication.fromClientId(scope, "webhook", {
        clientId: existing.clientId,
        existingAssignments: ["eventGrid", "client"],
      });
      new CloudEventGridBinding(scope, "orders", {
        ...receivedWithoutApplication,
        application,
        existingAssignments: ["clientAtScope"],
        writerPrincipals: [{ objectId: application.principalId, type: "servicePrincipal" }],
      });
    });
    expect(stack.all("azuread_app_role_assignment")).toEqual([]);
    expect(stack.all("azurerm_role_assignment")).toEqual([]);
  });

  it("is told from others by Terraform where only Terraform can, each in words of its own", () => {
    const stack = synthesized((scope) => {
      const application = made(scope);
      const binding = { ...receivedWithoutApplication, application };
      new CloudEventGridBinding(scope, "orders", {
        ...binding,
        writerPrincipals: [{ objectId: existing.writerId, type: "servicePrincipal" }],
      });
      new CloudEventGridBinding(scope, "parcels", {
        ...binding,
        deliveryIdentity: {
          type: "UserAssigned",
          userAssignedIdentity: identity,
          principalId: existing.groupId,
        },
      });
    });
    const words = stack.all("azuread_app_role_assignment").flatMap(({ body }) => {
      const message = /"error_message":"([^"]*)"/.exec(JSON.stringify(body))?.[1];
      return message === undefined ? [] : [message];
    });
    expect(words.sort()).toEqual([
      "A writer of writerPrincipals is the webhook's own application, which holds the app role " +
        "already: give its objectId as the application's principalId.",
      "The principalId of deliveryIdentity is the webhook's own application, which holds the app " +
        "role already: leave that principalId out.",
      "Whoever applies is the webhook's own application, which holds the app role already: name " +
        "the writers in writerPrincipals.",
    ]);
  });
});

describe("the client writes", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", byClient);
    new CloudEventGridBinding(scope, "parcels", byClient);
  });

  it("through one provider that signs in as the application and registers nothing", () => {
    const [, client, ...more] = stack.providers("azurerm");
    expect(more).toEqual([]);
    expect(client).toEqual({
      alias: expect.stringMatching(/^eventgrid_client_[0-9a-f]{8}$/),
      features: [{}],
      tenant_id: existing.tenantId,
      subscription_id: existing.subscriptionId,
      client_id: existing.clientId,
      client_secret: "a-literal-secret",
      environment: "public",
      resource_provider_registrations: "none",
      use_cli: false,
      use_msi: false,
      use_oidc: false,
    });
    for (const { body } of stack.all("azurerm_eventgrid_event_subscription")) {
      expect(body.provider).toBe(`azurerm.${client?.alias}`);
    }
  });

  it("needs no role for whoever applies", () => {
    expect(stack.all("azuread_app_role_assignment").map(({ path }) => path)).toEqual([
      `${subscriber}/client`,
      `${subscriber}/event-grid`,
    ]);
    expect(stack.all("data.azurerm_client_config")).toEqual([]);
  });

  it("waits until its roles have taken effect, and again when they change", () => {
    expect(stack.one("terraform_data", "orders/role-effect")).toEqual({
      triggers_replace: {
        "0": expect.stringMatching(/^\$\{azurerm_role_assignment\..*\.id\}$/),
        "1": expect.stringMatching(/^\$\{azuread_app_role_assignment\..*event-grid.*\.id\}$/),
        "2": expect.stringMatching(/^\$\{azuread_app_role_assignment\..*client.*\.id\}$/),
      },
      provisioner: [
        {
          "local-exec": {
            interpreter: ["node", "-e"],
            command: "setTimeout(() => {}, 60000)",
          },
        },
      ],
    });
    expect(stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription")).toContain(
      "orders/role-effect",
    );
  });

  it("waits as long as it is told to, or not at all", () => {
    const longer = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, roleEffectSeconds: 300 });
    });
    expect(longer.one("terraform_data", "orders/role-effect").provisioner).toMatchObject([
      { "local-exec": { command: "setTimeout(() => {}, 300000)" } },
    ]);
    const never = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, roleEffectSeconds: 0 });
    });
    expect(never.all("terraform_data")).toEqual([]);
  });

  it("does not wait where it makes no assignment", () => {
    const left = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...byClient,
        existingAssignments: ["eventGrid", "client", "clientAtScope"],
      });
    });
    expect(left.all("terraform_data")).toEqual([]);
  });

  it("is taken away in two steps: the provider stays until nothing in the state needs it", () => {
    const unsubscribed = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...byClient,
        subscribed: false,
        webhookProbe: true,
      });
    });
    expect(unsubscribed.all("azurerm_eventgrid_event_subscription")).toEqual([]);
    expect(unsubscribed.providers("azurerm")[1]).toEqual(stack.providers("azurerm")[1]);
    expect(unsubscribed.all("azurerm_role_assignment")).toHaveLength(1);
    expect(unsubscribed.all("terraform_data").map(({ path }) => path)).toEqual([
      "orders/role-effect",
    ]);
  });

  it("says that the application must be able to list resource providers", () => {
    expect(stack.infos).toContain(
      'With writer "client" the application must be allowed to list the resource providers of the ' +
        "subscription already when Terraform plans: give it Reader there, or set " +
        "ARM_PROVIDER_ENHANCED_VALIDATION=false in the environment of terraform plan and apply",
    );
  });

  it("is refused with an application of the same stack", () => {
    expect(
      problemsOf((scope) => {
        const application = new WebhookApplication(scope, "webhook", {
          displayName: "orders",
          clientSecret: true,
        });
        new CloudEventGridBinding(scope, "orders", {
          ...receivedWithoutApplication,
          application,
          writer: "client",
          cloudClientSecret: application.clientSecret ?? "",
        });
      }),
    ).toEqual([
      'writer "client" cannot sign in as an application that the same stack makes: its credentials ' +
        "are unknown when Terraform plans. Make the application in a stack of its own, or leave " +
        "writer to the deployer",
    ]);
  });

  it("signs in with one secret only", () => {
    expect(
      problemsOf((scope) => {
        new CloudEventGridBinding(scope, "orders", byClient);
        new CloudEventGridBinding(scope, "parcels", { ...byClient, cloudClientSecret: "another" });
      }),
    ).toEqual([
      "cloudClientSecret differs from that of another binding of the stack with the same " +
        "cloudClientId: the event subscriptions are written through one provider, so give both the " +
        "same",
    ]);
  });

  it("signs in to its cloud", () => {
    const gov = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, cloudEnvironment: "usgovernment" });
    });
    expect(gov.providers("azurerm")[1]?.environment).toBe("usgovernment");
  });
});
