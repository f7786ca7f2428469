import type { TerraformStack } from "cdktf";
import {
  type InputProvisioningOptions,
  type ProvisioningOptions,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { Compute } from "../../support/compute.js";
import { type Synthesized, synthesized } from "../../support/synthesized.js";
import { type Block, declaredIn } from "../../support/terraform-json.js";
import {
  existing,
  identity,
  received,
  receivedWithoutApplication,
  storageAccount,
} from "../fixtures.js";
import { create } from "../problems.js";

const CHECK = "orders/preconditions";
const userAssigned = { type: "UserAssigned", userAssignedIdentity: identity } as const;

/** Options with which a binding creates every resource that it can create. */
const options: InputProvisioningOptions & ProvisioningOptions = {
  additionalScopes: { uploads: storageAccount },
  writerPrincipals: [{ objectId: existing.groupId, principalType: "Group" }],
  deadLetter: {
    storageAccount,
    container: "dead",
    identity: { ...userAssigned, principalId: existing.writerId },
  },
  webhookProbe: true,
};

describe("resources before the preconditions of a binding", () => {
  it("are absent when the application exists", () => {
    expect(unchecked((scope) => binding(scope, { ...received, ...options }))).toEqual([]);
  });

  it("are absent for a binding without options", () => {
    expect(unchecked((scope) => binding(scope, received))).toEqual([]);
  });

  it("are absent when the client writes", () => {
    const client = { ...received, writer: "client", cloudClientSecret: "secret" };
    expect(unchecked((scope) => binding(scope, client))).toEqual([]);
  });

  it("are only the application's role and principal when the stack creates the principal", () => {
    const build = (scope: TerraformStack) => {
      const application = WebhookApplication.fromClientId(scope, "webhook", {
        clientId: existing.clientId,
        servicePrincipal: "provision",
      });
      binding(scope, { ...receivedWithoutApplication, ...options, application });
    };
    expect(unchecked(build)).toEqual([
      `cloud-eventgrid/application-${existing.clientId}/principal`,
      `cloud-eventgrid/application-${existing.clientId}/role`,
      `cloud-eventgrid/application-${existing.clientId}/role-replication`,
    ]);
  });

  it("are only those of a separate application construct, without assignments", () => {
    const build = (scope: TerraformStack) => {
      const application = new WebhookApplication(scope, "webhook", { displayName: "orders" });
      binding(scope, { ...receivedWithoutApplication, ...options, application });
    };
    expect(unchecked(build)).toEqual(["webhook/principal", "webhook/registration", "webhook/role"]);
  });
});

describe("resources before the preconditions of an existing application", () => {
  it("include neither its role nor its assignments", () => {
    const build = (scope: TerraformStack) => {
      const eventGridApplicationId = new Compute(scope, "service").id;
      const { clientId } = existing;
      const props = { clientId, eventGridApplicationId };
      WebhookApplication.fromClientId(scope, "known", props);
    };
    expect(unchecked(build, "known/preconditions")).toEqual([]);
  });
});

function binding(scope: TerraformStack, props: object): void {
  const service = new Compute(scope, "service");
  create(scope, {
    ...props,
    subscriberEndpoint: `https://${service.id}.example.com/api/events`,
  });
}

/** Paths of the resources that do not depend on the check, directly or indirectly. */
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
