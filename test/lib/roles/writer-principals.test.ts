import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, received, resourceGroup, subscriber } from "../fixtures.js";

describe("named writers that get their right in the apply that writes first", () => {
  const withProps = (props: object) =>
    synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        writerPrincipals: [
          { objectId: existing.writerId, principalType: "ServicePrincipal" },
          { objectId: existing.groupId, principalType: "Group" },
        ],
        ...props,
      });
    });

  it("are waited for if roleEffectSeconds is set", () => {
    const stack = withProps({ roleEffectSeconds: 90 });
    expect(stack.one("terraform_data", "orders/role-effect")).toMatchObject({
      triggers_replace: {
        "0": expect.stringMatching(
          /^\$\{azurerm_role_assignment\.[\w-]*eventgrid-eventsubscription-contributor-[\w-]+\.id\}$/,
        ),
        "1": expect.stringMatching(/^\$\{azurerm_role_assignment\.[\w-]+\[\*\]\.id\}$/),
        "2": expect.stringMatching(/^\$\{azurerm_role_assignment\.[\w-]+\.id\}$/),
      },
      provisioner: [{ "local-exec": { command: "sleep 90 || ping -n 91 127.0.0.1" } }],
    });
    expect(stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription")).toContain(
      "orders/role-effect",
    );
  });

  it("are not waited for by default", () => {
    expect(withProps({}).shape).not.toContain("terraform_data orders/role-effect");
  });
});

describe("named writers", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      writerPrincipals: [
        { objectId: existing.writerId, principalType: "ServicePrincipal" },
        { objectId: existing.groupId, principalType: "Group" },
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

  it("get no second assignment if one of them is the application itself", () => {
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

  it("get no second assignment if one of them applies another binding", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
      new CloudEventGridBinding(scope, "invoices", {
        ...received,
        writerPrincipals: [{ objectId: existing.writerId, principalType: "ServicePrincipal" }],
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

  it("may be an identity that the stack creates", () => {
    const late = synthesized((scope) => {
      const identity = new UserAssignedIdentity(scope, "pipeline", {
        name: "pipeline",
        resourceGroupName: "shop",
        location: "westeurope",
      });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        writerPrincipals: [{ objectId: identity.principalId, principalType: "ServicePrincipal" }],
      });
    });
    const ofPipeline = late
      .all("azurerm_role_assignment")
      .filter(({ body }) => String(body.principal_id).includes("azurerm_user_assigned_identity"));
    expect(ofPipeline).toHaveLength(1);
    expect(ofPipeline[0]?.body).not.toHaveProperty("count");
  });

  it("may have Terraform addresses that differ only in case", () => {
    const two = synthesized((scope) => {
      const writerPrincipals = ["pipeline", "Pipeline"].map((id) => {
        const place = { resourceGroupName: "shop", location: "westeurope" };
        const { principalId } = new UserAssignedIdentity(scope, id, { name: id, ...place });
        return { objectId: principalId, principalType: "ServicePrincipal" } as const;
      });
      new CloudEventGridBinding(scope, "orders", { ...received, writerPrincipals });
    });
    const given = (type: string, field: string) =>
      two.all(type).filter(({ body }) => /_identity\.p/i.test(String(body[field])));
    expect(given("azuread_app_role_assignment", "principal_object_id")).toHaveLength(2);
    expect(given("azurerm_role_assignment", "principal_id")).toHaveLength(2);
  });

  it("are complete before the event subscription", () => {
    expect(
      stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription").sort(),
    ).toEqual(
      [...stack.all("azuread_app_role_assignment"), ...stack.all("azurerm_role_assignment")]
        .map(({ path }) => path)
        .sort(),
    );
  });
});
