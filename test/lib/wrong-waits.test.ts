import type { TerraformStack } from "cdktf";
import { CloudEventGridBinding, WaitTargetError } from "cloud-eventgrid-binding";
import { Construct, type IConstruct } from "constructs";
import { describe, expect, it } from "vitest";
import { stackWithProviders } from "../support/synthesized.js";
import { received } from "./fixtures.js";

type Target = (binding: CloudEventGridBinding, stack: TerraformStack) => unknown;

const instead = "pass what serves the webhook instead, such as the container app";

const wrong: [what: string, target: Target, message: string][] = [
  ["the binding itself", (binding) => binding, `the binding itself: ${instead}`],
  ["the stack", (_, stack) => stack, `orders, which the binding is in: ${instead}`],
  [
    "a construct around the binding",
    (binding) => binding.node.scope,
    `orders/service, which the binding is in: ${instead}`,
  ],
  ["the app", (_, stack) => stack.node.root, `the app, which the binding is in: ${instead}`],
  [
    "its event subscription",
    (binding) => binding.subscriptions[0],
    `orders/service/orders/subscription, which the binding makes: ${instead}`,
  ],
];

function waiting(target: Target): () => void {
  const stack = stackWithProviders();
  const binding = new CloudEventGridBinding(new Construct(stack, "service"), "orders", received);
  return () => binding.waitFor(target(binding, stack) as IConstruct);
}

describe("what cannot be waited for is refused at the call", () => {
  it.each(wrong)("%s", (_what, target, message) => {
    expect(waiting(target)).toThrow(`orders/service/orders: waitFor cannot wait for ${message}`);
    expect(waiting(target)).toThrow(WaitTargetError);
  });

  it.each<[unknown, string]>([
    ["x", '"x"'],
    [undefined, "undefined"],
    [{}, "a value of type object"],
    [[], "a list"],
  ])("%j", (target, shown) => {
    expect(waiting(() => target)).toThrow(
      "orders/service/orders: waitFor takes resources, modules and constructs with resources inside, " +
        `but got ${shown}: pass what serves the webhook itself`,
    );
  });
});
