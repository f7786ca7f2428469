import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { expect, it, vi } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { received } from "./fixtures.js";

it("checks an endpoint of which only the host is known later, without a warning of cdktf", () => {
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
