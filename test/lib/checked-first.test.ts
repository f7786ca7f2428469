import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { DataResource, type TerraformStack } from "cdktf";
import { type CommonOptions, type InputOptions, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { type Synthesized, synthesized } from "../support/synthesized.js";
import { type Block, declaredIn } from "../support/terraform-json.js";
import {
  existing,
  identity,
  received,
  receivedWithoutApplication,
  storageAccount,
} from "./fixtures.js";
import { create } from "./wrong.js";

const CHECK = "orders/preconditions";
const userAssigned = { type: "UserAssigned", userAssignedIdentity: identity } as const;

/** Everything that a binding can make for itself. */
const options: InputOptions & CommonOptions = {
  additionalScopes: { uploads: storageAccount },
  writerPrincipals: [{ objectId: existing.groupId, type: "group" }],
  deliveryIdentity: { ...userAssigned, principalId: existing.writerId },
  deadLetter: {
    storageAccount,
    container: "dead",
    identity: { ...userAssigned, principalId: existing.writerId },
  },
  webhookProbe: true,
  providerRegistration: "resource",
};

describe("before late values are checked", () => {
  it("nothing is made of a binding whose application exists", () => {
    expect(unchecked((scope) => binding(scope, { ...received, ...options }))).toEqual([
      "cloud-eventgrid/registration-core",
    ]);
  });

  it("nothing is made of a binding without options", () => {
    expect(unchecked((scope) => binding(scope, received))).toEqual([]);
  });

  it("nothing is made where the client writes", () => {
    const client = { ...received, writer: "client", cloudClientSecret: "secret" };
    expect(unchecked((scope) => binding(scope, client))).toEqual([]);
  });

  it("there is only the application's principal, and the role before it, where both are made", () => {
    const provisioned = { ...received, ...options, servicePrincipal: "provision" };
    expect(unchecked((scope) => binding(scope, provisioned))).toEqual([
      `cloud-eventgrid/application-${existing.clientId}/principal`,
      `cloud-eventgrid/application-${existing.clientId}/role`,
      "cloud-eventgrid/registration-core",
    ]);
  });

  it("there is only the application that is a construct of its own, without assignments", () => {
    const build = (scope: TerraformStack) => {
      const application = new WebhookApplication(scope, "webhook", { displayName: "orders" });
      binding(scope, { ...receivedWithoutApplication, ...options, application });
    };
    expect(unchecked(build)).toEqual([
      "cloud-eventgrid/registration-core",
      "webhook/principal",
      "webhook/registration",
      "webhook/role",
    ]);
  });
});

describe("before the late values of an application that exists are checked", () => {
  it("it is given neither role nor assignments", () => {
    const build = (scope: TerraformStack) => {
      const eventGridApplicationId = new DataResource(scope, "service").id;
      const { clientId } = existing;
      const props = { clientId, eventGridApplicationId };
      WebhookApplication.fromClientId(scope, "known", props);
    };
    expect(unchecked(build, "known/preconditions")).toEqual([]);
  });
});

function binding(scope: TerraformStack, props: object): void {
  const service = new DataResource(scope, "service");
  create(scope, {
    ...props,
    subscriberEndpoint: `https://${service.id}.example.com/api/events`,
    ...("providerRegistration" in props && {
      azurerm: new AzurermProvider(scope, "core", {
        features: [{}],
        alias: "core",
        resourceProviderRegistrations: "core",
      }),
    }),
  });
}

/** Paths of the resources that do not wait for the check, neither themselves nor by others. */
function unchecked(build: (scope: TerraformStack) => void, check = CHECK): string[] {
  const { json }: Synthesized = synthesized(build);
  const all = declaredIn(json);
  const waits = (body: Block, seen: ReadonlySet<string>): boolean => {
    const text = JSON.stringify({ ...body, "//": undefined });
    return all
      .filter(({ address }) => !seen.has(address) && text.includes(address))
      .some((one) => one.path === check || waits(one.body, new Set([...seen, one.address])));
  };
  expect(all.map(({ path }) => path)).toContain(check);
  return all
    .filter(({ mode, path }) => mode === "managed" && path !== check && path !== "service")
    .filter(({ address, body }) => !waits(body, new Set([address])))
    .map(({ path }) => path)
    .sort();
}
