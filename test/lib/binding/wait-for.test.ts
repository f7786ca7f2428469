import { createRequire } from "node:module";
import { TerraformHclModule, TerraformOutput, TerraformStack } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { ConfigurationError } from "cloud-eventgrid-binding-runtime";
import { Construct, type IConstruct } from "constructs";
import { describe, expect, it } from "vitest";
import { reportedBy } from "../../../lib/validation/index.js";
import { Compute } from "../../support/compute.js";
import { stackWithProviders, synthesized, testApp } from "../../support/synthesized.js";
import { received, storageAccount } from "../fixtures.js";
import { problemsOf } from "../problems.js";
import { SUBSCRIPTION } from "../subscriptions.js";

describe("waitFor", () => {
  it("puts a resource before every event subscription", () => {
    const stack = synthesized((scope) => {
      const binding = new CloudEventGridBinding(scope, "orders", {
        ...received,
        additionalScopes: { uploads: storageAccount },
      });
      binding.waitFor(new Compute(scope, "service"));
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContain("service");
    expect(stack.waits(SUBSCRIPTION, "orders/subscription-uploads")).toContain("service");
  });

  it("waits for all resources of a construct, including those added later", () => {
    const stack = synthesized((scope) => {
      const service = new Construct(scope, "service");
      const binding = new CloudEventGridBinding(scope, "orders", received);
      binding.waitFor(service);
      const app = new Compute(service, "app");
      new Compute(new Construct(service, "routes"), "route");
      new TerraformOutput(service, "url", { value: app.id });
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toEqual(
      expect.arrayContaining(["service/app", "service/routes/route"]),
    );
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toHaveLength(6);
  });

  it("waits for a resource that is renamed later", () => {
    const stack = synthesized((scope) => {
      const binding = new CloudEventGridBinding(scope, "orders", received);
      const service = new Compute(scope, "service");
      binding.waitFor(service);
      service.overrideLogicalId("webhook");
    });
    const { depends_on } = stack.one(SUBSCRIPTION, "orders/subscription");
    expect(depends_on).toContain("terraform_data.webhook");
  });

  it("waits for modules", () => {
    const stack = synthesized((scope) => {
      const binding = new CloudEventGridBinding(scope, "orders", received);
      binding.waitFor(
        new TerraformHclModule(scope, "ingress", { source: "Azure/ingress/azurerm" }),
      );
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContain("module.ingress");
  });

  it("names a resource once that is part of two targets", () => {
    const stack = synthesized((scope) => {
      const service = new Construct(scope, "service");
      const replicas = new Construct(service, "replicas");
      new Compute(replicas, "app");
      const binding = new CloudEventGridBinding(scope, "orders", received);
      binding.waitFor(service);
      binding.waitFor(replicas);
    });
    const waits = stack.waits(SUBSCRIPTION, "orders/subscription");
    expect(waits).toEqual([...new Set(waits)]);
  });

  it("waits for modules of another copy of cdktf", () => {
    const require = createRequire(import.meta.url);
    for (const path of Object.keys(require.cache)) {
      if (path.includes("/cdktf/")) delete require.cache[path];
    }
    const copy: typeof import("cdktf") = require("cdktf");
    expect(copy.TerraformHclModule).not.toBe(TerraformHclModule);
    const stack = synthesized((scope) => {
      const service = new Construct(scope, "service");
      new copy.TerraformHclModule(service, "ingress", { source: "Azure/ingress/azurerm" });
      new CloudEventGridBinding(scope, "orders", received).waitFor(service);
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContainEqual(
      expect.stringMatching(/^module\.service_ingress/),
    );
  });

  it("fails synthesis for a construct without resources", () => {
    const build = (scope: TerraformStack, fill: (service: Construct) => void) => {
      const service = new Construct(scope, "service");
      new CloudEventGridBinding(scope, "orders", received).waitFor(service);
      fill(service);
    };
    const output = (service: Construct) => void new TerraformOutput(service, "url", { value: "x" });
    expect(problemsOf((scope) => build(scope, output))).toEqual(["waitFor: empty"]);
    const app = (service: Construct) => void new Compute(service, "app");
    expect(problemsOf((scope) => build(scope, app))).toEqual([]);
  });

  it("fails synthesis for a target in another stack", () => {
    const app = testApp();
    const stack = stackWithProviders("orders", app);
    const other = new TerraformStack(app, "compute");
    const binding = new CloudEventGridBinding(stack, "orders", received);
    binding.waitFor(new Compute(other, "service"));
    expect(() => app.synth()).toThrow(
      "waitFor cannot wait for compute/service, which is in another stack: deploy the stacks in " +
        "order with addDependency(compute)",
    );
    expect(reportedBy(binding)).toMatchObject([{ field: "waitFor", rule: "other-stack" }]);
  });

  it("refuses a value that is no construct, such as a missing one", () => {
    const binding = new CloudEventGridBinding(stackWithProviders(), "orders", received);
    const missing: CloudEventGridBinding[] = [];
    const wait = () => Reflect.apply(binding.waitFor, binding, [missing[0]]);
    expect(wait).toThrow(ConfigurationError);
    expect(wait).toThrow("waitFor cannot wait for undefined: pass the resource that serves");
  });

  type Target = (binding: CloudEventGridBinding, stack: TerraformStack) => IConstruct | undefined;
  it.each<[what: string, target: Target]>([
    ["the binding itself", (binding) => binding],
    ["the stack", (_, stack) => stack],
    ["a construct around the binding", (binding) => binding.node.scope],
    ["the app", (_, stack) => stack.node.root],
    ["the binding's event subscription", (binding) => binding.subscriptions[0]],
  ])("refuses %s, which would end in a cycle", (_what, target) => {
    const stack = stackWithProviders();
    const service = new Construct(stack, "service");
    const binding = new CloudEventGridBinding(service, "orders", received);
    const wait = () => binding.waitFor(target(binding, stack) ?? stack);
    expect(wait).toThrow(ConfigurationError);
    expect(wait).toThrow("pass the resource that serves the webhook, such as the container app");
    expect(wait).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ rule: "cycle" })] }),
    );
  });
});
