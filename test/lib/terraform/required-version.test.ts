import { type TerraformStack, Testing } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridTopic,
} from "cloud-eventgrid-binding";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Synthesized, stackWithProviders, synthesisErrorOf } from "../../support/synthesized.js";
import type { Block } from "../../support/terraform-json.js";
import { published, received, resourceGroup } from "../fixtures.js";

describe("the required version of Terraform", () => {
  it("is the oldest that the constructs support, unless the stack requires its own", () => {
    const stack = stackWithProviders();
    new CloudEventGridBinding(stack, "orders", received);
    expect(new Synthesized(stack).json).toMatchObject({
      terraform: { required_version: ">= 1.5" },
    });
    stack.addOverride("terraform.required_version", "~> 1.11");
    expect(new Synthesized(stack).json).toMatchObject({
      terraform: { required_version: "~> 1.11" },
    });
  });

  it("is required by a topic or a namespace alone, and by a binding that only publishes", () => {
    const ofTopic = stackWithProviders();
    new CloudEventGridTopic(ofTopic, "topic", {
      resourceGroupName: "shop",
      location: "westeurope",
    });
    const ofNamespace = stackWithProviders();
    CloudEventGridNamespace.fromId(
      ofNamespace,
      "events",
      `${resourceGroup}/providers/Microsoft.EventGrid/namespaces/shop`,
    );
    const ofPublisher = stackWithProviders();
    new CloudEventGridBinding(ofPublisher, "orders", published);
    for (const stack of [ofTopic, ofNamespace, ofPublisher]) {
      expect(new Synthesized(stack).json).toMatchObject({
        terraform: { required_version: ">= 1.5" },
      });
    }
  });
});

describe("the required version of azurerm", () => {
  it("is replaced by one override of the stack, and nothing else", () => {
    const build = () => {
      const stack = stackWithProviders();
      new CloudEventGridBinding(stack, "orders", received);
      return stack;
    };
    const [four, five] = [build(), build()];
    five.addOverride("terraform.required_providers.azurerm.version", "~> 5.2");
    const jsonOf = (stack: TerraformStack) => {
      const { "//": _, ...json } = new Synthesized(stack).json as Record<string, Block>;
      return json;
    };
    const { terraform, ...rest } = jsonOf(four);
    const providers = terraform?.required_providers as Record<string, Block>;
    expect(providers.azurerm?.version).toMatch(/^(~> )?4[.]/);
    expect(jsonOf(five)).toEqual({
      ...rest,
      terraform: {
        ...terraform,
        required_providers: {
          ...providers,
          azurerm: { ...providers.azurerm, version: "~> 5.2" },
        },
      },
    });
  });
});

describe("cdktf's output format HCL", () => {
  const refusal =
    "the constructs for Event Grid need cdktf's output format JSON: synthesize without --hcl and hclOutput";

  it("is refused, because resources of azapi would be incomplete in it", () => {
    const stack = stackWithProviders();
    new CloudEventGridBinding(stack, "orders", published);
    expect(() => Testing.synthHcl(stack)).toThrow(refusal);
  });

  it("is reported with all other problems, as cdktf synth --hcl asks for it", () => {
    vi.stubEnv("SYNTH_HCL_OUTPUT", "true");
    onTestFinished(() => void vi.unstubAllEnvs());
    const binding = { ...published, topicEndpoint: "http://topic" };
    const problems = synthesisErrorOf((scope) => {
      new CloudEventGridBinding(scope, "b", binding);
    });
    expect(problems).toContain(refusal);
    expect(problems).toContain("topicEndpoint");
  });
});
