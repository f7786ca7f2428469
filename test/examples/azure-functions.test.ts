import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type HttpHandler, HttpRequest, HttpResponse, InvocationContext } from "@azure/functions";
import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { afterEach, expect, it } from "vitest";
import { AzureFunctionsStack } from "../../examples/azure-functions/stack.js";
import { ordersWebhook } from "../../examples/azure-functions/webhook.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { DeployedExample } from "./deployed-example.js";

/** Calls a function for each request, as the platform does: the body is read before. */
function functionHost(handler: HttpHandler): Server {
  const call = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const bytes = new Uint8Array(await buffer(incoming));
    const request = new HttpRequest({
      method: incoming.method ?? "",
      url: `https://shop-orders.azurewebsites.net${incoming.url}`,
      headers: Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ),
      ...(bytes.length > 0 && { body: { bytes } }),
    });
    const result = await handler(request, new InvocationContext());
    const response = new HttpResponse(result as ConstructorParameters<typeof HttpResponse>[0]);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  };
  return createServer((incoming, outgoing) => void call(incoming, outgoing));
}

describeWithTerraform("the deployed azure-functions example", () => {
  let example: DeployedExample | undefined;
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    await example?.stop();
  });

  it("handles orders with the settings that the stack puts out", async () => {
    example = await DeployedExample.prepare({
      service: "azure-functions/function.ts",
      subscriberEndpoint: "https://shop-orders.azurewebsites.net/api/events",
      stack: (app, place) => new AzureFunctionsStack(app, "azure-functions", place),
    });
    const env = example.synthesize().environment as Record<string, string>;
    const shipped: string[] = [];
    const webhook = ordersWebhook(
      bindingFromEnvironment("ORDERS", { direction: "input", env }),
      async (orderId, article) => void shipped.push(`${orderId}: ${article}`),
    );
    server = functionHost(webhook.fetch);
    await once(server.listen(Number(example.place.handshakePort), "127.0.0.1"), "listening");

    const terraform = example.terraform();
    await terraform.init();
    await terraform.apply();
    await example.publish("shop.order.placed", { orderId: "17", article: "teapot" });
    await example.cloud.drain();

    expect(shipped).toEqual(["17: teapot"]);
    expect(example.cloud.deliveries().map(({ outcome }) => outcome)).toEqual(["delivered"]);
    await webhook.close();
  });
});
