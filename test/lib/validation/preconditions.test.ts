import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import { type TerraformStack, TerraformVariable } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { bindingFields } from "cloud-eventgrid-binding-runtime/contract";
import { describe, expect, it, vi } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { received } from "../fixtures.js";
import { create } from "../problems.js";

const definition = {
  ...received,
  direction: "input, output",
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: "key",
  writer: "client",
  cloudClientSecret: "secret",
} as const;

/** The preconditions of a binding, as pairs of condition and message. */
function preconditionsOf(build: (scope: TerraformStack) => object): [string, string][] {
  const stack = synthesized((scope) => void create(scope, { ...definition, ...build(scope) }));
  const { lifecycle } = stack.one("terraform_data", "orders/preconditions");
  const { precondition } = lifecycle as {
    precondition: { condition: string; error_message: string }[];
  };
  return precondition.map(({ condition, error_message }) => [condition, error_message]);
}

function variable(scope: TerraformStack, type = "string", sensitive = false): TerraformVariable {
  return new TerraformVariable(scope, `later_${type.replace(/\W/g, "")}`, { type, sensitive });
}

describe("the precondition of a token", () => {
  it("tests the pattern of the rule, and shows the value", () => {
    const { pattern, requirement } = bindingFields.handshakePort.rule;
    expect(preconditionsOf((scope) => ({ handshakePort: variable(scope).stringValue }))).toEqual([
      [
        `\${can(regex("${pattern}", var.later_string))}`,
        `handshakePort ${requirement}, but is "\${var.later_string}"`,
      ],
    ]);
  });

  it.each(["cloudClientSecret", "accessKey"] as const)("never shows the value of %s", (field) => {
    const [[, message] = []] = preconditionsOf((scope) => ({
      [field]: variable(scope).stringValue,
    }));
    expect(message).toBe(
      `${field} ${bindingFields[field].rule.requirement} (its value is not shown)`,
    );
  });

  it("hides the query of a URL", () => {
    const [[, message] = []] = preconditionsOf((scope) => ({
      subscriberEndpoint: variable(scope).stringValue,
    }));
    expect(message).toBe(
      "subscriberEndpoint must be an https URL with a host, such as " +
        'https://orders.example.com/api/events, but is "${replace(var.later_string, "/[?#].+$/", "?…")}"',
    );
  });

  it("hides the value of a sensitive variable, of which Terraform would warn at every plan", () => {
    const conditions = preconditionsOf((scope) => ({
      scope: variable(scope, "string", true).stringValue,
      labels: variable(scope, "list(string)", true).listValue,
    }));
    expect(conditions.map(([, message]) => message)).toEqual([
      "each of labels must be a string that is not empty (its value is not shown)",
      expect.stringMatching(/^scope must be .* \(its value is not shown\)$/),
      "scope must lie in the subscription of cloudSubscriptionId, but names another one",
      "includedEventTypes must name event types, because all types of the scope are not known",
    ]);
  });

  it("compares the subscription of a scope, for a token in either of the two", () => {
    const ofScope = preconditionsOf((scope) => ({ scope: variable(scope).stringValue }));
    expect(ofScope[1]).toEqual([
      `\${(lower(element(split("/", trim(var.later_string, "/")), 1)) == lower("${received.cloudSubscriptionId}"))}`,
      `scope must lie in the subscription of cloudSubscriptionId (${received.cloudSubscriptionId}), ` +
        'but names the subscription ${element(split("/", trim(var.later_string, "/")), 1)}',
    ]);
    const ofSubscription = preconditionsOf((scope) => ({
      cloudSubscriptionId: variable(scope).stringValue,
    }));
    expect(ofSubscription).toHaveLength(2);
  });

  it("tests the range of a number", () => {
    const conditions = preconditionsOf((scope) => ({
      retryPolicy: { maxDeliveryAttempts: variable(scope, "number").numberValue },
    }));
    expect(conditions).toEqual([
      [
        "${try(((floor(var.later_number) == tonumber(var.later_number)) && " +
          "((var.later_number >= 1) && (var.later_number <= 30))), false)}",
        "retryPolicy.maxDeliveryAttempts must be a whole number from 1 to 30, but is ${var.later_number}",
      ],
    ]);
  });

  it("tests every item of a list, and names the wrong ones", () => {
    const conditions = preconditionsOf((scope) => ({
      labels: variable(scope, "list(string)").listValue,
    }));
    expect(conditions).toEqual([
      [
        "${alltrue([ for key, val in var.later_liststring: (length(val) >= 1)])}",
        expect.stringContaining("labels[%v] must be a string that is not empty, but is %q"),
      ],
    ]);
  });

  it("allows hyphens in the name of an existing event subscription only", () => {
    const named = (existingSubscription?: "adopted") =>
      preconditionsOf((scope) => ({
        eventSubscriptionName: variable(scope).stringValue,
        ...(existingSubscription && { existingSubscription }),
      }))[0]?.[0];
    expect(named("adopted")).toBe('${can(regex("^[0-9a-zA-Z-]{3,64}$", var.later_string))}');
    expect(named()).toBe('${can(regex("^[0-9a-zA-Z]{3,64}$", var.later_string))}');
  });

  it("joins the parts of an endpoint without a warning of cdktf", () => {
    const warn = vi.spyOn(console, "warn");
    const stack = synthesized((scope) => {
      const environment = new ContainerAppEnvironment(scope, "environment", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
      });
      const subscriberEndpoint = `https://orders.${environment.defaultDomain}/api/events`;
      new CloudEventGridBinding(scope, "orders", { ...received, subscriberEndpoint });
    });
    const printed = warn.mock.calls;
    warn.mockRestore();
    expect(printed).toEqual([]);
    expect(stack.one("terraform_data", "orders/preconditions").lifecycle).toMatchObject({
      precondition: [
        {
          condition: expect.stringContaining(
            ', join("", ["https://orders.", azurerm_container_app_environment.environment.default_domain, "/api/events"])))}',
          ),
        },
      ],
    });
  });
});
