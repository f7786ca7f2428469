import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cloudEvent, publishTo, startWebhook } from "../support/cloud.js";
import {
  emptyDirectory,
  environmentOf,
  jsonOf,
  runCommand,
  runConfigured,
} from "../support/command.js";
import { reachableBy, signIn } from "../support/management-client.js";

const CLIENT_ID = "77777777-7777-4777-8777-777777777777";
const TOPIC =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders";

describe("the configuration file", () => {
  it("declares applications with secrets, roles and permissions, topics, users and groups", async () => {
    const command = runConfigured({
      tenants: [{ tenantId: "88888888-8888-4888-8888-888888888888" }],
      usersAndGroups: [{ objectId: "66666666-6666-4666-8666-666666666666", type: "Group" }],
      applications: [
        {
          displayName: "pipeline",
          clientId: CLIENT_ID,
          secret: "pipeline secret",
          roles: [],
          azureRoles: [{ role: "EventGrid Data Sender", scope: TOPIC }],
          graphPermissions: ["Application.Read.All"],
        },
      ],
      topics: [{ name: "orders", resourceGroupName: "shop", accessKey: "a-key-of-mine" }],
    });
    const [, endpoint = ""] = await command.printed(/topic orders +(\S+)/);
    const [, origin = ""] = await command.printed(/HTTP +(\S+)/);
    expect(command.out()).not.toContain("a-key-of-mine");

    const form = new URLSearchParams({
      client_id: CLIENT_ID,
      client_secret: "pipeline secret",
      grant_type: "client_credentials",
      scope: "https://eventgrid.azure.net/.default",
    });
    const tokenUrl = `${origin}/11111111-1111-4111-8111-111111111111/oauth2/v2.0/token`;
    const answer = await fetch(tokenUrl, { method: "POST", body: form });
    const { access_token: token } = Object(await answer.json());
    for (const authentication of [
      { authorization: `Bearer ${token}` },
      { "aeg-sas-key": "a-key-of-mine" },
    ]) {
      const headers = { ...authentication, "content-type": "application/cloudevents+json" };
      const body = JSON.stringify(cloudEvent());
      const published = await fetch(endpoint, { method: "POST", headers, body });
      expect(published.status).toBe(200);
    }
  });

  it("may begin with the mark that editors on Windows write", async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, "shop.json"), '\uFEFF{ "topics": [{ "name": "orders" }] }\r\n');
    const command = runCommand(["--config", "shop.json"], directory);
    expect(await command.printed(/topic orders +\S+/)).toBeDefined();
  });

  it.each([
    [{}, "NotRegistered"],
    [{ topics: [{ name: "orders" }] }, "Registered"],
    [{ domains: [{ name: "shop" }] }, "Registered"],
    [{ topics: [{ name: "orders" }], control: { eventGridRegistered: false } }, "NotRegistered"],
  ])("%j leaves Event Grid %s", async (configuration, registrationState) => {
    const command = runConfigured(configuration);
    await command.printed(/AZURE_CLIENT_SECRET/);
    const call = await signIn(reachableBy(await environmentOf(command.directory)));
    const path =
      "/subscriptions/22222222-2222-4222-8222-222222222222/providers/Microsoft.EventGrid";
    expect((await call("GET", path)).body).toMatchObject({ registrationState });
  });

  it("creates a declared subscription once its webhook is up and prints each delivery", async () => {
    const webhook = await startWebhook();
    let up = false;
    webhook.answer = ({ method }) => {
      if (!up) return { status: 503 };
      return method === "OPTIONS" ? { headers: { "webhook-allowed-origin": "*" } } : {};
    };
    const command = runConfigured(
      {
        applications: [{ displayName: "webhook", clientId: CLIENT_ID }],
        topics: [{ name: "orders", resourceGroupName: "shop", accessKey: "key" }],
        eventSubscriptions: [
          {
            name: "orders-sub",
            scope: TOPIC,
            endpointUrl: "https://orders.example.com/api/events?code=s3cret",
            clientId: CLIENT_ID,
          },
        ],
      },
      "--ingress",
      `https://orders.example.com=${webhook.url}`,
    );
    await command.printed(/handshake +orders-sub .+ failed: .+ response code ServiceUnavailable/);
    await command.printed(
      /orders-sub waits for its webhook https:\/\/orders\.example\.com\/api\/events: a handshake every 2 seconds until one succeeds\./,
    );
    up = true;
    await command.printed(
      /handshake +orders-sub +https:\/\/orders.example.com\/api\/events +succeeded/,
    );

    const [, endpoint = ""] = await command.printed(/topic orders +(\S+)/);
    await publishTo({ endpoint, accessKey: "key" }, { id: "17" });
    await command.printed(/delivery +orders-sub +shop.order.placed 17 +200 delivered/);
    expect(command.out()).not.toContain("s3cret");
    expect(command.out().match(/response code ServiceUnavailable/g)).toHaveLength(1);
    expect(command.out().match(/waits for its webhook/g)).toHaveLength(1);
  });

  it("prints every handshake of a client, but its own repeated ones only once", async () => {
    const command = runConfigured({ topics: [{ name: "orders", resourceGroupName: "shop" }] });
    await command.printed(/CLOUD_AUTHORITY_HOST/);
    const call = await signIn(reachableBy(await environmentOf(command.directory)));
    const subscription = `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/orders-sub?api-version=2025-02-15`;
    const endpointUrl = "https://127.0.0.1:1/api/events";
    const properties = {
      destination: { endpointType: "WebHook", properties: { endpointUrl } },
      eventDeliverySchema: "CloudEventSchemaV1_0",
    };
    await call("PUT", subscription, { properties });
    await command.printed(/handshake +orders-sub .+ failed: /);
    await call("PUT", subscription, { properties });
    await command.printed(/(handshake +orders-sub .+ failed: [\s\S]*){2}/);
  });

  it("is refused with exit code 2 and a list of every problem", async () => {
    const command = runConfigured({
      topic: [],
      tenantId: "x",
      topics: [{ name: 7 }],
      ingress: { "http://a": "http://b" },
      applications: [{ secret: "s3cret" }],
      usersAndGroups: [{ objectId: "x", type: "Robot" }],
      eventSubscriptions: [
        {
          name: "o",
          scope: "q",
          endpointUrl: "http://orders.example.com?code=s3cret",
          filter: {
            subjectBeginWith: "orders/",
          },
        },
      ],
    });

    expect(await command.exitCode).toBe(2);
    expect(command.err().split("\n").slice(1)).toEqual([
      '  - tenantId must be a UUID, not "x"',
      "  - ingress is invalid: A public address of the ingress table must be https://…, not 'http://a'.",
      '  - usersAndGroups[0].type must be "User" or "Group", not "Robot"',
      "  - applications[0].displayName is missing",
      "  - topics[0].name must be 3 to 50 letters, digits or hyphens that do not begin with Microsoft-, EventGrid- or System-, not 7",
      "  - eventSubscriptions[0].filter.subjectBeginWith is unknown: did you mean subjectBeginsWith?",
      "  - eventSubscriptions[0] is invalid: Event subscription name 'o' is invalid: it must have 3 to 64 letters, digits or hyphens",
      "  - eventSubscriptions[0] is invalid: 'q' cannot be the scope of an event subscription. It must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name} or the ID of a resource",
      "  - eventSubscriptions[0] is invalid: Invalid event subscription request: The endpoint URL is invalid as it should be specified and cannot be null or empty and should follow the proper https URL format (e.g., https://www.example.com)",
      "  - topic is unknown: did you mean topics?",
      "",
    ]);
    expect(command.err()).not.toContain("s3cret");
  });

  it.each([
    ["{", "JSON"],
    ["[]", "  - it must be an object, not an array"],
  ])("is refused with the content %s", async (content, message) => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, "other.json"), content);
    const command = runCommand(["--config", "other.json"], directory);
    expect(await command.exitCode).toBe(2);
    expect(command.err()).toContain(message);
  });

  it.each([
    [
      {
        applications: [
          { displayName: "a", azureRoles: [{ role: "EventGrid Wizard", scope: "/" }] },
        ],
      },
      "Unknown role 'EventGrid Wizard'.",
    ],
    [
      {
        eventSubscriptions: [
          {
            name: "orders-sub",
            scope: TOPIC,
            endpointUrl: "https://orders.example.com/api/events",
          },
        ],
      },
      "The event subscription 'orders-sub' is refused: The Resource",
    ],
  ])("ends the command when %j cannot be created", async (configuration, message) => {
    const command = runConfigured(configuration);
    expect(await command.exitCode).toBe(1);
    expect(command.err()).toContain(message);
  });
});

it("a configuration file finds what an earlier run has persisted", async () => {
  const first = runConfigured(
    {
      topics: [{ name: "orders", accessKey: "configured" }],
      applications: [{ displayName: "webhook", secret: "s3cret" }],
    },
    "--persist",
    "state",
  );
  await first.printed(/export/);
  await jsonOf(first.directory, "topics", "create", "from-command");
  await first.interrupt();

  const second = runCommand(["--persist", "state"], first.directory);
  await second.printed(/export/);
  expect(await jsonOf(first.directory, "topics")).toMatchObject([
    { name: "orders", key1: "configured" },
    { name: "from-command" },
  ]);
});
