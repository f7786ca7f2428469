import { describe, expect, it } from "vitest";
import { ContainerAppsStack } from "../../examples/container-apps/stack.js";
import { placeFromEnvironment } from "../../examples/place.js";
import { Synthesized, testApp } from "../support/synthesized.js";
import { image } from "./deployed-container-app.js";

describe("the stack of the container-apps example", () => {
  const { subscriberEndpoint: _, ...place } = placeFromEnvironment({});
  const stack = new Synthesized(
    new ContainerAppsStack(testApp(), "container-apps", { ...place, image }),
  );
  const app = stack.one("azurerm_container_app");

  it("stores the URL of the Redis as a secret of the app, and other settings as plain variables", () => {
    expect(app).toMatchObject({
      secret: [
        {
          name: "redis-url",
          value:
            "rediss://:${urlencode(azurerm_managed_redis.redis.default_database[0].primary_access_key)}@${azurerm_managed_redis.redis.hostname}:10000",
        },
      ],
      template: {
        container: [
          {
            env: expect.arrayContaining([
              { name: "WAREHOUSE_HANDSHAKE_PORT", value: "9000" },
              { name: "WAREHOUSE_WEBHOOK_PATH", value: "/api/events" },
              { name: "WAREHOUSE_PUBLISH_WITH", value: "entra" },
              {
                name: "AZURE_CLIENT_ID",
                value: "${azurerm_user_assigned_identity.identity.client_id}",
              },
              { name: "REDIS_URL", secret_name: "redis-url" },
            ]),
          },
        ],
      },
    });
  });

  it("exposes the handshake port to the internet, and probes the listener there", () => {
    expect(app).toMatchObject({
      ingress: { external_enabled: true, target_port: 9000 },
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
