import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfiguration } from "../../local/src/cli/configuration.js";
import { root } from "../support/project.js";
import { command } from "./command.js";
import { contentsOf } from "./generated-project.js";
import { directoryWith } from "./temporary.js";

const components = join(root, "examples/from-component/components");
const earlier = readFileSync(join(components, "orders-earlier.yaml"), "utf8");

const publishing = `    - name: topicEndpoint
      value: https://orders.westeurope-1.eventgrid.azure.net/api/events
    - name: accessKey
      value: a-key
`;

/** Converts a document. Returns the text of every written file, and of all files together. */
async function convert(document: string, ...args: string[]) {
  const directory = directoryWith({ "orders.yaml": document });
  const printed = await command(["convert", "orders.yaml", "--out", "shop", ...args], {
    directory,
  });
  const read = (file: string) => readFileSync(join(directory, "shop", file), "utf8");
  const files = () =>
    readdirSync(join(directory, "shop"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  return { ...printed, directory, read, files };
}

describe("cloud-eventgrid convert", () => {
  it.each([
    [
      "what receives",
      earlier,
      "",
      'cloud-eventgrid-local.json component.ts src/handlers.ts receives subscribed scope topic unhandled doctor cdktn direction: "input"',
    ],
    [
      "what it takes over",
      earlier,
      "--adopted --event-type shop.order.placed --app fastify",
      'component.ts src/handlers.ts receives subscribed adopt scope events fastify doctor cdktn direction: "input"',
    ],
    [
      "what publishes",
      earlier.replace(/ {4}- name: tenantId.*/s, publishing),
      "",
      'component.ts publisher sameAccount readOnly accessKey cdktn direction: "output"',
    ],
    [
      "what does both, behind a secret URL",
      earlier
        .replace("/api/events", "/hooks?code=hush")
        .replace("    - name: tenantId", `${publishing}    - name: tenantId`),
      "--app express --event-type Microsoft.Storage.BlobCreated --cdk cdktf",
      'component.ts src/handlers.ts src/publisher.test.ts receives subscribed published publisher scope secretEndpoint accessKey events express doctor direction: "input, output"',
    ],
  ])("writes for %s the files and lines that it needs", async (_, document, options, contents) => {
    const { directory, error } = await convert(document, ...options.split(" ").filter(Boolean));
    expect(error).toBe("");
    expect(contentsOf(join(directory, "shop"))).toBe(contents);
  });

  it("writes a stack with the fields of the document, and leaves the client secret out", async () => {
    const { exitCode, read, files } = await convert(earlier);
    expect(exitCode).toBe(0);
    expect(read("component.ts")).toContain(
      'cloudClientId: "44444444-4444-4444-8444-444444444444",',
    );
    expect(read("component.ts")).toContain('eventSubscriptionName: "ordersearlier",');
    expect(files().join()).not.toContain("not-a-real-secret");
    expect(read("README.md")).toContain("| `component.ts` |");
  });

  it("turns an access key and a URL with a query into variables", async () => {
    const document = earlier
      .replace("/api/events", "/hooks?code=hush")
      .replace("    - name: tenantId", `${publishing}    - name: tenantId`);
    const { read, files } = await convert(document);
    expect(read("stack.ts")).toContain("accessKey: accessKey.stringValue,");
    expect(read("stack.ts")).toContain("subscriberEndpoint: endpoint.stringValue,");
    expect(read("README.md")).toContain("`TF_VAR_access_key`");
    expect(files().join()).not.toMatch(/a-key|hush/);
  });

  it("restricts the subscription to the types of --event-type", async () => {
    const types = ["shop.order.placed", "shop.order.paid", "Microsoft.Storage.BlobCreated"];
    const options = types.flatMap((type) => ["--event-type", type]);
    const { read } = await convert(earlier, ...options);
    expect(read("src/events.ts")).toContain('"shop.order.placed": type<');
    expect(read("src/events.ts")).toContain('"shop.order.paid": type<');
    expect(read("src/events.ts")).toContain('...systemEvents("Microsoft.Storage.BlobCreated"),');
    for (const type of types) expect(read("src/handlers.ts")).toContain(`"${type}": async (`);
    const odd = await convert(earlier, "--event-type", `a"b`, "--event-type", "$&");
    expect(odd.read("src/handlers.ts")).toContain('  "a\\"b": async (');
    expect(odd.read("src/handlers.ts")).toContain('  "$&": async (');
    expect(odd.read("src/service.test.ts")).toContain('type: "a\\"b", ');
    expect(read("stack.ts")).toContain("      events,\n");
    expect(read("src/service.ts")).not.toContain("unhandled");
  });

  it("keeps events of unknown types from being lost without --event-type", async () => {
    const { read } = await convert(earlier);
    expect(read("stack.ts")).not.toContain("events,");
    expect(read("src/service.ts")).toContain('unhandled: "retry",');
  });

  it("prints the call of the Terraform module, and what it cannot express, with --terraform", async () => {
    const directory = directoryWith({ "orders.yaml": earlier });
    const { exitCode, out } = await command(["convert", "--terraform", "orders.yaml"], {
      directory,
    });
    expect(exitCode).toBe(0);
    expect(out).toBe(`module "orders_events" {
  source                  = "../cloud-eventgrid-binding/terraform"
  name                    = "orders-events"
  webhook_url             = "https://events.example.com/api/events"
  port                    = 9000
  scope                   = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders"
  client_id               = "44444444-4444-4444-8444-444444444444"
  event_subscription_name = "ordersearlier"
}
# source is the folder terraform of a clone of the repository: change it to yours.
# azurerm and azuread sign in to the tenant 11111111-1111-4111-8111-111111111111, azurerm to the Azure subscription 22222222-2222-4222-8222-222222222222.
# Whoever applies writes the event subscription: the client secret is not used. See the example client-writes for an application that writes it.
`);
  });

  it("leaves secrets out of the call, and says what the caller does instead", async () => {
    const group = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
    const document = earlier
      .replace("/api/events", "/api/events?code=hush")
      .replace(/value: ".subscriptions.*"/, `value: "${group}"`)
      .replace("    - name: tenantId", `${publishing}    - name: tenantId`);
    const directory = directoryWith({ "orders.yaml": document });
    const { out } = await command(["convert", "--terraform", "orders.yaml"], { directory });
    expect(out).toContain("webhook_url             = var.webhook_url\n");
    expect(out).toContain("# webhook_url has a query, which is a secret");
    expect(out).toContain("# The module does not publish: give the service ORDERS_EVENTS_TOPIC");
    expect(out).toContain("# The scope is no topic: name its types in included_event_types");
    expect(out).not.toMatch(/hush|a-key/);
  });

  it("needs a folder for a project", async () => {
    const { exitCode, error } = await command(["convert", "orders.yaml"]);
    expect(exitCode).toBe(2);
    expect(error).toContain("--out <folder> is missing");
  });

  it("takes over the existing subscription with --adopted", async () => {
    const { read } = await convert(earlier, "--adopted");
    expect(read("stack.ts")).toContain("existingSubscription: props.existingSubscription,");
    // The component could not write its subscription without them.
    expect(read("stack.ts")).toContain(
      'existingAssignments: ["eventGrid", "client", "clientAtScope"],',
    );
  });

  it("writes a project of cdktn, with the package.json of the page on cdktn", async () => {
    const { read } = await convert(earlier);
    const page = readFileSync(join(root, "docs/cdktn.md"), "utf8");
    const [, json = ""] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const documented = JSON.parse(json);
    const { devDependencies, overrides } = JSON.parse(read("package.json"));
    expect(read("main.ts") + read("stack.ts")).not.toContain('"cdktf"');
    expect(read("main.ts") + read("stack.ts")).not.toContain("@cdktf/");
    expect(devDependencies).toMatchObject(documented.dependencies);
    expect(overrides).toEqual(documented.overrides);
  });

  it("names the rights that a deployment needs at the component's scope", async () => {
    const { read } = await convert(earlier);
    expect(read("README.md")).toContain("- *Reader* and `Microsoft.EventGrid/register/action`");
    expect(read("README.md")).not.toContain("creates its resource group");
  });

  it("deploys to the component's tenant and Azure subscription, whichever az has selected", async () => {
    const { read } = await convert(earlier);
    expect(read("README.md")).toContain("az login\nSUBSCRIBED=no npm run deploy\n");
  });

  it("declares the component's topic and application in a local Azure", async () => {
    const { directory, read } = await convert(earlier);
    const file = join(directory, "shop/cloud-eventgrid-local.json");
    expect(readConfiguration(file)).toMatchObject({
      subscriptionId: "22222222-2222-4222-8222-222222222222",
      topics: [{ name: "orders", resourceGroupName: "shop" }],
      applications: [{ clientId: "44444444-4444-4444-8444-444444444444" }],
    });
    expect(read("README.md")).toContain("\nTOPIC=orders\n");
    const adopted = await convert(earlier, "--adopted");
    expect(adopted.read("README.md")).not.toContain("local Azure\n");
  });

  it("writes a project for each of several components", async () => {
    const { exitCode, out, read } = await convert(
      `${earlier}---\n${earlier.replace("name: orders-events", "name: payments")}`,
    );
    expect(exitCode).toBe(0);
    expect(out).toContain("Next: cd shop/orders-events && npm install");
    expect(read("orders-events/src/service.ts")).toContain('"ORDERS_EVENTS"');
    expect(read("payments/src/service.ts")).toContain('"PAYMENTS"');
  });

  it.each([["--terraform"], ["--out", "all"]])(
    "refuses two components that would get one name, with %s %s",
    async (...flags) => {
      const named = (name: string) => earlier.replace(/^ {2}name: .*$/m, `  name: ${name}`);
      const directory = directoryWith({ "a.yaml": named("a.b"), "b.yaml": named("a-b") });
      const args = ["convert", "a.yaml", "b.yaml", ...flags];
      const { exitCode, out, error } = await command(args, { directory });
      expect([exitCode, out]).toEqual([1, ""]);
      expect(error).toContain('the components "a.b" and "a-b" both become a-b');
      const args1 = ["convert", "a.yaml", "--terraform", "--name", "shop"];
      expect((await command(args1, { directory })).out).toContain('module "shop"');
    },
  );

  it("writes nothing for an invalid document, reports its problems and exits with 3", async () => {
    const { exitCode, error, files } = await convert(earlier.replace('"9000"', '"0"'));
    expect(exitCode).toBe(3);
    expect(error).toContain("handshakePort must be");
    expect(files).toThrow("ENOENT");
  });
});
