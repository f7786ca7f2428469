import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TerraformStack, Testing } from "cdktf";
import { createListener, createPublisher, RejectEvent } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterEach, describe, expect, it } from "vitest";
import { command } from "../cli/command.js";
import { deadLettersTo } from "../local/support/dead-letters.js";
import { sharedAzurite } from "../support/azurite.js";
import { root } from "../support/project.js";
import { testApp } from "../support/synthesized.js";
import { blocksIn, pageText } from "./recipes.js";
import { forCdktf, snippetsIn } from "./snippets.js";

describe("docs/dead-letters.md", () => {
  const closing: (() => PromiseLike<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it("replays a rejected event to the corrected service with its commands", async () => {
    const { connectionString } = await sharedAzurite();
    const cloud = await LocalCloud.start({
      clock: "stepped",
      storageConnectionString: connectionString,
    });
    closing.push(() => cloud.close());
    const topic = cloud.topics.create({ name: "orders" });
    const { clientId } = cloud.applications.create({ displayName: "orders" });
    const binding = {
      cloudTenantId: cloud.tenantId,
      cloudClientId: clientId,
      cloudAuthorityHost: cloud.authorityHost,
      handshakePort: "9000",
      path: "/api/events",
      topicEndpoint: topic.endpoint,
      accessKey: topic.accessKey,
    };
    let isCorrected = false;
    const handled: string[] = [];
    const listener = createListener(binding, {
      on: {
        "*": ({ id }) => {
          if (!isCorrected) throw new RejectEvent("no such article");
          handled.push(id);
        },
      },
      port: 0,
      drainLagMs: 0,
      logger: false,
    });
    closing.push(() => listener.close());
    const { port } = await listener.listen();
    await expect.poll(() => listener.isReady()).toBe(true);
    cloud.ingress.route("https://orders.example.com", `http://127.0.0.1:${port}`);
    await cloud.eventSubscriptions.create({
      name: "orders",
      scope: topic.id,
      endpointUrl: "https://orders.example.com/api/events",
      clientId,
      ...deadLettersTo("dead-letters"),
    });
    const publisher = createPublisher(binding, { source: "/shop" });
    closing.push(() => publisher.close());
    const [id] = await publisher.create({ type: "shop.order.placed", data: {} });
    await cloud.drain();

    isCorrected = true;
    const outputs: string[] = [];
    for (const line of commands()) {
      const { exitCode, out, error } = await command(line.split(" ").slice(1), {
        env: {
          AZURE_STORAGE_CONNECTION_STRING: connectionString,
          ORDERS_TOPIC_ENDPOINT: topic.endpoint,
          ORDERS_ACCESS_KEY: topic.accessKey,
        },
      });
      expect(exitCode, `${line}\n${error}`).toBe(0);
      outputs.push(out);
    }
    await cloud.drain();
    expect(outputs[0]).toContain("UndeliverableDueToHttpBadRequest");
    expect(handled).toEqual([id]);
  });

  /** The commands of the page. */
  function commands(): string[] {
    const lines = blocksIn(pageText("dead-letters"), "sh").join("\n").split("\n");
    return lines.filter((line) => line.startsWith("cloud-eventgrid "));
  }
});

describe("docs/private-networks.md", () => {
  it("synthesizes a topic and a namespace without public access, and their private endpoints", async () => {
    const folder = join(root, ".cache", "private-networks");
    mkdirSync(folder, { recursive: true });
    const [snippet] = snippetsIn("docs/private-networks.md");
    const file = join(folder, "private-endpoints.ts");
    writeFileSync(file, forCdktf(snippet?.code ?? ""));
    const { privateEndpoints } = await import(file);

    const stack = new TerraformStack(testApp(), "shop");
    privateEndpoints(
      stack,
      "/networks/shop",
      "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/shop/subnets/services",
    );
    const { resource } = JSON.parse(Testing.synth(stack));
    const topics: { public_network_access_enabled: boolean }[] = Object.values(
      resource.azurerm_eventgrid_topic,
    );
    expect(topics).toMatchObject([{ public_network_access_enabled: false }]);
    expect(Object.values(resource.azurerm_private_endpoint)).toHaveLength(2);
  });
});
