import { afterEach, describe, expect, it } from "vitest";
import { ContainerAppsStack } from "../../examples/container-apps/stack.js";
import { placeFromEnvironment } from "../../examples/place.js";
import { readSynthesized, resolve } from "../../examples/start/synthesized.js";
import { Synthesized, testApp } from "../support/synthesized.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { DeployedExample } from "./deployed-example.js";
import { HoldingProxy } from "./holding-proxy.js";

const image = "example.azurecr.io/warehouse:1";

describe("the stack of the container-apps example", () => {
  const { subscriberEndpoint: _, ...place } = placeFromEnvironment({});
  const stack = new Synthesized(
    new ContainerAppsStack(testApp(), "container-apps", { ...place, image }),
  );
  const app = stack.one("azurerm_container_app");

  it("stores both access keys as secrets of the app, and other settings as plain variables", () => {
    expect(app).toMatchObject({
      secret: [
        {
          name: "warehouse-access-key",
          value: expect.stringContaining("azurerm_eventgrid_topic.topic"),
        },
        {
          name: "warehouse-deduplication-password",
          value: expect.stringContaining("azurerm_managed_redis.redis"),
        },
      ],
      template: {
        container: [
          {
            env: expect.arrayContaining([
              { name: "WAREHOUSE_HANDSHAKE_PORT", value: "9000" },
              { name: "WAREHOUSE_WEBHOOK_PATH", value: "/api/events" },
              { name: "WAREHOUSE_ACCESS_KEY", secret_name: "warehouse-access-key" },
              {
                name: "WAREHOUSE_DEDUPLICATION_REDIS",
                value: "${azurerm_managed_redis.redis.hostname}:10000",
              },
              {
                name: "WAREHOUSE_DEDUPLICATION_PASSWORD",
                secret_name: "warehouse-deduplication-password",
              },
            ]),
          },
        ],
      },
    });
  });

  it("exposes the handshake port to the internet, with two to ten replicas", () => {
    expect(app).toMatchObject({
      ingress: { external_enabled: true, target_port: 9000 },
      template: { min_replicas: 2, max_replicas: 10, http_scale_rule: [{ name: "deliveries" }] },
    });
  });

  it("probes the listener for startup, readiness and liveness", () => {
    expect(app).toMatchObject({
      template: {
        container: [
          {
            startup_probe: [{ path: "/readyz", port: 9000 }],
            readiness_probe: [{ path: "/readyz", port: 9000 }],
            liveness_probe: [{ path: "/healthz", port: 9000 }],
          },
        ],
      },
    });
  });

  it("creates the event subscription after the app, with a host that does not depend on the app", () => {
    const type = "azurerm_eventgrid_event_subscription";
    expect(stack.waits(type, "warehouse/subscription")).toContain("app");
    expect(stack.one(type)).toMatchObject({
      webhook_endpoint: {
        url: "https://warehouse.${azurerm_container_app_environment.environment.default_domain}/api/events",
      },
      storage_blob_dead_letter_destination: {
        storage_blob_container_name: "${azurerm_storage_container.dead-letters.name}",
      },
    });
  });
});

describeWithTerraform("the deployed container-apps example", () => {
  let example: DeployedExample | undefined;
  let proxy: HoldingProxy | undefined;
  afterEach(async () => {
    await example?.stop();
    await proxy?.stop();
  });

  it("receives an order and publishes that it is packed", async () => {
    const running = await DeployedExample.prepare({
      service: "container-apps/service.ts",
      redis: "WAREHOUSE",
      stack: (app, { subscriberEndpoint: _, ...place }) =>
        new ContainerAppsStack(app, "container-apps", { ...place, image }),
    });
    example = running;
    const { cloud, place } = running;
    const held = await HoldingProxy.start(`http://127.0.0.1:${place.handshakePort}`);
    proxy = held;
    cloud.ingress.route("https://warehouse.warehouse.stand-in.invalid", held.origin);
    running.synthesize();

    // Like Azure, the test starts the service with the settings of the container app.
    const terraform = running.terraform({
      onProgress: ({ address, succeeded }) => {
        if (address === "azurerm_container_app.app" && succeeded) held.openAfter(startApp(running));
      },
    });
    await terraform.init();
    await terraform.apply();

    await running.publish("shop.order.placed", { orderId: "17", article: "teapot" });
    await cloud.drain();
    await expect.poll(() => running.messages()).toEqual(["packing", "packed"]);
    expect(await running.redis.handled()).toBeOneOf([2, undefined]);
    expect((await terraform.plan()).changes).toEqual([]);
  }, 120_000);
});

/** Starts the service with the settings of the container app. */
async function startApp(example: DeployedExample): Promise<void> {
  const { resources } = readSynthesized(example.outdir, "container-apps");
  const [topic] = example.cloud.topics.list();
  const made = { endpoint: topic?.endpoint, primary_access_key: topic?.accessKey };
  const attributes = new Map(
    resources.flatMap(({ type, address }) =>
      type === "azurerm_eventgrid_topic" ? [[address, made]] : [],
    ),
  );
  const app = resources.find(({ type }) => type === "azurerm_container_app")?.config;
  const { secret, template } = resolve(app, attributes) as ContainerAppSettings;
  const secrets = new Map(secret.map(({ name, value }) => [name, value]));
  const env = template.container.flatMap((container) => container.env);
  await example.serve(
    Object.fromEntries(
      env.map(({ name, value, secret_name }) => [
        name,
        value ?? secrets.get(secret_name ?? "") ?? "",
      ]),
    ),
  );
}

interface ContainerAppSettings {
  readonly secret: readonly { readonly name: string; readonly value: string }[];
  readonly template: {
    readonly container: readonly {
      readonly env: readonly {
        readonly name: string;
        readonly value?: string;
        readonly secret_name?: string;
      }[];
    }[];
  };
}
