import { createServer, request } from "node:http";
import { describe, expect, it } from "vitest";
import { startCloud } from "../support/cloud.js";
import { runNode } from "../support/run-program.js";

/** Publishes with clients that are not configured for a local Azure. */
const publish = `
import { EventGridManagementClient } from "@azure/arm-eventgrid";
import { EventGridPublisherClient } from "@azure/eventgrid";
import { DefaultAzureCredential } from "@azure/identity";

const credential = new DefaultAzureCredential();
const management = new EventGridManagementClient(credential, process.env.AZURE_SUBSCRIPTION_ID);
const topic = await management.topics.beginCreateOrUpdateAndWait("shop", "orders", {
  location: "westeurope",
});
const client = new EventGridPublisherClient(topic.endpoint, "EventGrid", credential);
await client.send([{ eventType: "placed", subject: "1", dataVersion: "1", data: {} }]);
console.log(topic.endpoint);
`;

describe("the HTTPS proxy", () => {
  it("lets clients use the cloud without any setting but the proxy", async () => {
    const cloud = await startCloud({ control: { eventGridRegistered: true } });
    const { ARM_CLIENT_ID = "" } = cloud.terraformEnvironment();
    const deployer = cloud.directory
      .tenant(cloud.tenantId)
      ?.servicePrincipals.byClientId(ARM_CLIENT_ID);
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    cloud.control.assignRole("EventGrid Data Sender", deployer?.objectId ?? "", scope);

    const output = await runNode(publish, cloud.proxyEnvironment());

    expect(output).toBe("https://orders.westeurope-1.eventgrid.azure.net/api/events\n");
    expect(cloud.topics.list()[0]?.events()).toMatchObject([{ type: "placed" }]);
  });

  it("forwards connections to all other hosts", async () => {
    const cloud = await startCloud({ control: true });
    const target = createServer((_, response) => response.end("other host"));
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    const address = target.address();
    const host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const body = await new Promise<string>((resolve, reject) => {
      request(cloud.httpOrigin, { method: "CONNECT", path: host })
        .on("connect", (response, socket) => {
          expect(response.statusCode).toBe(200);
          socket.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
          let text = "";
          socket.on("data", (chunk) => {
            text += chunk;
          });
          socket.on("end", () => resolve(text));
        })
        .on("error", reject)
        .end();
    });
    target.close();
    expect(body).toContain("other host");
  });

  it("answers 502 for a host that cannot be reached", async () => {
    const cloud = await startCloud({ control: true });
    const status = await new Promise((resolve, reject) => {
      request(cloud.httpOrigin, { method: "CONNECT", path: "127.0.0.1:1" })
        .on("connect", (response) => resolve(response.statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(502);
  });
});
