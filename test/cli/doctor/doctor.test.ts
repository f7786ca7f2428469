import { EventEmitter, once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpHeaders, type HttpClient } from "@azure/core-rest-pipeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { cloudEventgrid } from "../built-program.js";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";
import { Deployment } from "./deployment.js";

/** Publishes the addresses of a cloud, all with one origin. */
const metadataOf = (origin: string): HttpClient => ({
  sendRequest: async (request) => ({
    request,
    status: 200,
    headers: createHttpHeaders(),
    bodyAsText: JSON.stringify({
      resourceManager: origin,
      microsoftGraphResourceId: origin,
      authentication: { loginEndpoint: origin },
    }),
  }),
});

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on a healthy deployment", () => {
  it("finds nothing and exits with 0", async () => {
    deployment.allowWriter();
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.placed"] } });
    const args = ["--event-type", "shop.order.placed"];
    const { exitCode, out } = await deployment.doctor(args, {
      topicEndpoint: deployment.topic.endpoint,
      accessKey: deployment.topic.accessKey,
    });
    expect(out).toBe(`orders
  ok       provider              Microsoft.EventGrid is registered
  ok       event-subscription    "orders" exists and is enabled
  ok       destination           "orders" delivers to https://orders.example.com/api/events; its query was not compared
  ok       handshake             ${deployment.probeUrl} consents
  ok       service-principal     the application "orders webhook" has a service principal
  ok       app-role              the application has the app role AzureEventGridSecureWebhookSubscriber
  ok       event-grid-principal  Event Grid has a service principal
  ok       app-role-assignment   Event Grid has the app role on the application
  ok       writer                the application ${deployment.application.clientId} may write the event subscription
  ok       filters               the types shop.order.placed pass
  warning  dead-letter           there is no dead-letter container: events that cannot be delivered are dropped
           → set deadLetter on the binding
  ok       deliveries            in the last 2 hours 0 events matched, 0 events delivered, 0 attempts failed
  ok       topic                 the topic "orders" exists
  ok       publisher             the access key is one of the topic's

Nothing prevents delivery.
`);
    expect(exitCode).toBe(0);
  });

  it("runs the checks side by side, and prints the findings while others are awaited", async () => {
    await deployment.subscribe();
    const seen = new EventEmitter();
    const both = Promise.all([once(seen, "subscription printed"), once(seen, "metrics read")]);
    deployment.onOut = (text) => {
      if (text.includes('"orders" exists and is enabled')) seen.emit("subscription printed");
    };
    // The application, which is reported before the deliveries, is only there after both.
    deployment.canned = async ({ pathname }) => {
      if (pathname.endsWith("/metrics")) seen.emit("metrics read");
      if (pathname.endsWith("/servicePrincipals")) await both;
      return undefined;
    };
    expect((await deployment.doctor()).out).toContain("Event Grid has a service principal");
  });

  it("finds the subscription of a document by a name with hyphens", async () => {
    deployment.allowWriter();
    await deployment.subscribe({ name: "orders-hook" });
    const name = { eventSubscriptionName: "orders-hook" };
    const { exitCode, message } = await deployment.finding("event-subscription", [], name);
    expect([exitCode, message]).toEqual([0, '"orders-hook" exists and is enabled']);
  });

  it("takes the binding from Terraform's outputs", async () => {
    await deployment.subscribe();
    const { cloud, application, topic, probeUrl } = deployment;
    const outputs = {
      environment: {
        sensitive: true,
        value: {
          ORDERS_DIRECTION: "input, output",
          ORDERS_TENANT_ID: cloud.tenantId,
          ORDERS_CLIENT_ID: application.clientId,
          ORDERS_HANDSHAKE_PORT: "9000",
          ORDERS_WEBHOOK_PATH: "/api/events",
          ORDERS_TOPIC_ENDPOINT: topic.endpoint,
          ORDERS_ACCESS_KEY: topic.accessKey,
        },
      },
      orders_event_subscription_ids: {
        value: {
          archive: "/subscriptions/x/providers/Microsoft.EventGrid/eventSubscriptions/archive",
          scope: `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`,
        },
      },
    };
    const directory = directoryWith({ "outputs.json": JSON.stringify(outputs) });
    const args = ["--terraform", "outputs.json", "--probe-url", probeUrl];
    const { exitCode, out } = await deployment.run(args, {}, directory);
    expect(out).toContain("Nothing prevents delivery.");
    expect(out).not.toContain(topic.accessKey);
    expect(exitCode).toBe(0);
    const another = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/another`;
    const chosen = await deployment.run([...args, "--event-subscription", another], {}, directory);
    expect(chosen.out).toMatch(/failed +event-subscription .*another/);
  });

  it("asks which binding is meant when Terraform's outputs contain several", async () => {
    const value = { ORDERS_DIRECTION: "input", RETURNS_DIRECTION: "input" };
    const directory = directoryWith();
    // As Windows PowerShell writes it with `>`.
    const text = `\uFEFF${JSON.stringify({ environment: { value } })}`;
    writeFileSync(join(directory, "outputs.json"), text, "utf16le");
    const args = ["--terraform", "outputs.json"];
    const { exitCode, error } = await deployment.run(args, {}, directory);
    expect(exitCode).toBe(2);
    expect(error).toContain("several bindings (ORDERS, RETURNS): choose with --env");
  });
});

describe("cloud-eventgrid doctor on a file with several bindings", () => {
  const binding = (name: string) =>
    readFileSync(join(root, "examples/from-component/components/orders.yaml"), "utf8").replace(
      /(metadata:\s+name:) .*/,
      `$1 ${name}`,
    );
  const run = (...args: readonly string[]) => {
    const text = `${binding("orders")}---\n${binding("returns")}`;
    return deployment.run(["all.yaml", ...args], {}, directoryWith({ "all.yaml": text }));
  };

  it("takes the one with the name of --component", async () => {
    const { out } = await run("--component", "returns", "--no-handshake");
    expect(out).toMatch(/^returns\n/);
  });

  it.each([
    [[], "all.yaml contains several bindings (orders, returns): choose with --component"],
    [["--component", "x"], "all.yaml contains no binding with the name x, but: orders, returns"],
  ])("refuses %j, and names them", async (args, message) => {
    const { exitCode, error } = await run(...args);
    expect([exitCode, error]).toEqual([2, `error: ${message}\n`]);
  });
});

describe("cloud-eventgrid doctor without credentials", () => {
  it("says how to sign in", async () => {
    const unavailable = Object.assign(new Error("ChainedTokenCredential authentication failed."), {
      name: "AggregateAuthenticationError",
    });
    const { exitCode, error } = await command(
      ["doctor", join(root, "examples/from-component/components/orders.yaml")],
      { replacements: { doctor: { credential: { getToken: () => Promise.reject(unavailable) } } } },
    );
    expect(exitCode).toBe(1);
    expect(error).toContain("no credentials were found: run az login, or set AZURE_TENANT_ID");
  });
});

describe("cloud-eventgrid doctor on a cloud that cannot be reached", () => {
  it("names the host that a client secret is sent to", async () => {
    const { cloud } = deployment;
    const { exitCode, error } = await command(
      ["doctor", join(root, "examples/from-component/components/orders.yaml")],
      {
        env: cloud.terraformEnvironment(),
        replacements: {
          doctor: { httpClient: metadataOf("https://127.0.0.1:1"), retryDelayMs: 1 },
        },
      },
    );
    expect(exitCode).toBe(1);
    expect(error).toContain("https://127.0.0.1:1 cannot be reached, or does not know the tenant");
  });

  it("names the variable with the cloud's host", async () => {
    const { exitCode, error } = await command(
      ["doctor", join(root, "examples/from-component/components/orders.yaml")],
      { env: { ARM_METADATA_HOSTNAME: "127.0.0.1:1" } },
    );
    expect(exitCode).toBe(1);
    expect(error).toContain("ARM_METADATA_HOSTNAME: https://127.0.0.1:1 cannot be reached");
  });
});

describe("cloud-eventgrid doctor behind a proxy", () => {
  it("examines a local Azure that is reached by HTTPS_PROXY alone", async () => {
    await deployment.subscribe();
    const args = ["doctor", "--env", "ORDERS", "--scope", deployment.topic.id, "--no-handshake"];
    const { exitCode, out, error } = await cloudEventgrid(args, {
      ...deployment.environment(),
      ...deployment.cloud.proxyEnvironment(),
    });
    expect(error).toBe("");
    expect(out).toContain("Nothing prevents delivery.");
    expect(exitCode).toBe(0);
  });
});

describe("cloud-eventgrid doctor in a terminal", () => {
  it("wraps messages at its width, but no command", async () => {
    await deployment.subscribe();
    deployment.removeEventGridsRole();
    const { out } = await deployment.doctor([], {}, 80);
    const long = out.split("\n").filter((line) => line.length > 80);
    expect(long).toContainEqual(expect.stringContaining("→ az rest --method POST"));
    for (const line of long) expect(line.trim()).toMatch(/^(→ az .*|\S+)$/);
  });
});

describe("the documentation", () => {
  it("shows what the doctor prints for a broken deployment", async () => {
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.placed"] } });
    deployment.allowWriter();
    deployment.removeEventGridsRole();
    deployment.showMetrics({
      MatchedEventCount: 120,
      DeliveryAttemptFailCount: 3480,
      DroppedEventCount: 116,
    });
    const { out } = await deployment.doctor(["--event-type", "shop.order.paid"]);
    const shown = out
      .replace(deployment.probeUrl, "https://orders.example.com/api/events")
      .replace(deployment.cloud.control.origin, "https://graph.microsoft.com")
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "44444444-4444-4444-8444-444444444444");
    const page = readFileSync(join(root, "docs/command-line/doctor.md"), "utf8");
    expect(page).toContain(shown);
  });
});
