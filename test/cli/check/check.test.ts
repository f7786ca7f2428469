import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";

const examples = join(root, "examples/from-component/components");
const current = readFileSync(join(examples, "orders.yaml"), "utf8");
const earlier = readFileSync(join(examples, "orders-earlier.yaml"), "utf8");

const check = (files: Record<string, string>, ...args: string[]) =>
  command(["check", ...Object.keys(files), ...args], { directory: directoryWith(files) });

describe("cloud-eventgrid check with component documents", () => {
  it("accepts a document of the current release and says what it would do", async () => {
    const { exitCode, out } = await check({ "orders.yaml": current });
    expect(out).toBe(`orders.yaml (orders-events): valid
  Receives events
    webhook             https://events.example.com/api/events
    port                9000
    scope               /subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders
    event subscription  orders-events
    written by          the application, with its client secret
    application         44444444-4444-4444-8444-444444444444
    tenant              11111111-1111-4111-8111-111111111111
    cloud               public
`);
    expect(exitCode).toBe(0);
  });

  it("accepts a document of the earlier release and warns of a secret in plain text", async () => {
    const { exitCode, out } = await check({ "earlier.yaml": earlier });
    expect(exitCode).toBe(0);
    expect(out).toContain("earlier.yaml (orders-events): valid, 1 warning");
    const line = earlier.split("\n").findIndex((text) => /name: clientSecret/.test(text)) + 1;
    expect(out).toContain(`earlier.yaml:${line}: clientSecret is in the document as plain text`);
    expect(out).not.toContain("not-a-real-secret");
  });

  it("reads documents that Windows has written, with a mark or in UTF-16", async () => {
    const directory = directoryWith({ "marked.yaml": `\uFEFF${current.replaceAll("\n", "\r\n")}` });
    writeFileSync(join(directory, "utf16.yaml"), `\uFEFF${current}`, "utf16le");
    const { exitCode, out } = await command(["check", "marked.yaml", "utf16.yaml"], { directory });
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^marked.yaml .*: valid.*\nutf16.yaml .*: valid/s),
    });
  });

  it("warns of a name that only an existing event subscription can have", async () => {
    const hyphenated = current.replace(
      "    - name: handshakePort",
      '    - name: eventSubscriptionName\n      value: "orders-hook"\n    - name: handshakePort',
    );
    const { exitCode, out } = await check({ "orders.yaml": hyphenated });
    expect(exitCode).toBe(0);
    expect(out).toContain("orders.yaml (orders-events): valid, 1 warning");
    expect(out).toContain(
      '"orders-hook" has a hyphen, which the specification of the binding allows only in an existing subscription (convert --adopted)',
    );
    expect(out).toContain("event subscription  orders-hook");
    // It stays a warning beside an error.
    const wrong = hyphenated.replace("44444444-4444-4444-8444-444444444444", "x");
    expect((await check({ "orders.yaml": wrong })).out).toContain("invalid, 1 problem, 1 warning");

    const { exitCode: converted, error } = await command(
      ["convert", "orders.yaml", "--out", "shop"],
      { directory: directoryWith({ "orders.yaml": hyphenated }) },
    );
    expect(converted).toBe(3);
    expect(error).toContain("orders.yaml: invalid, 1 problem");
    expect(error).toContain("convert --adopted");
  });

  it("exits with 3 for a warning with --strict", async () => {
    expect((await check({ "earlier.yaml": earlier }, "--strict")).exitCode).toBe(3);
  });

  it("reports every problem with file and line and exits with 3", async () => {
    const wrong = current.replace('"9000"', '"0"').replace("https://events", "http://events");
    const { exitCode, out } = await check({ "orders.yaml": wrong });
    expect(exitCode).toBe(3);
    expect(out).toMatch(/^orders\.yaml: invalid, 2 problems\n/);
    expect(out).toMatch(/ {2}error {4}orders\.yaml:22: subscriberEndpoint /);
    expect(out).toMatch(/ {2}error {4}orders\.yaml:24: handshakePort /);
  });

  it("checks every Event Grid binding of a file with several documents", async () => {
    const second = earlier.replace("name: orders-events", "name: returns");
    const { out } = await check({ "all.yaml": `${current}---\n${second}---\nkind: Other\n` });
    expect(out).toMatch(/^all\.yaml \(orders-events\): valid\n/);
    expect(out).toContain("\n\nall.yaml (returns): valid, 1 warning\n");
  });

  it("reports a syntax error once, whatever else the file contains", async () => {
    const broken = current.replace("  metadata:\n    -", '  metadata: "\n    -');
    const { out } = await check({ "all.yaml": `${current}---\n${broken}` });
    expect(out.match(/error/g)).toHaveLength(1);
    expect(out).toMatch(/error {4}all\.yaml:\d+: /);
  });

  it("reports the second of two components with one name", async () => {
    const { out } = await check({ "all.yaml": `${current}---\n${current}` });
    expect(out).toContain('another component of the file has the name "orders-events"');
  });

  it("warns of a component whose name Azure refuses for its event subscription", async () => {
    const refused = current.replace("name: orders-events", "name: orders_events");
    const { out } = await check({ "orders.yaml": refused });
    expect(out).toContain("Azure refuses the name orders_events for the event subscription");
    const named = refused.replace(
      "    - name: handshakePort",
      "    - name: eventSubscriptionName\n      value: orders\n    - name: handshakePort",
    );
    expect((await check({ "orders.yaml": named })).out).not.toContain("Azure refuses");
  });

  it("reads standard input, folders and patterns", async () => {
    const directory = directoryWith({
      "components/orders.yaml": current,
      "components/more/returns.yml": earlier,
      "components/state.json": '{ "kind": "Component", "spec": { "type": "state.redis" } }',
    });
    const ofFolder = await command(["check", "components"], { directory });
    expect(ofFolder.out.match(/^components\/\S+ .*valid/gm)).toEqual([
      "components/more/returns.yml (orders-events): valid",
      "components/orders.yaml (orders-events): valid",
    ]);
    expect(ofFolder.error).toBe("No Event Grid binding: components/state.json\n");
    const ofPattern = await command(["check", "components/**/*.{yaml,yml}"], { directory });
    expect(ofPattern.out).toBe(ofFolder.out);
    const ofInput = await command(["check", "-"], { input: current });
    expect(ofInput.out).toContain("<stdin> (orders-events): valid");
    const { exitCode, error } = await command(["check", "*.yaml"], { directory });
    expect([exitCode, error]).toEqual([1, "error: no file matches *.yaml\n"]);
  });

  it("reports only the type of another component", async () => {
    const other = `apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: state
spec:
  type: state.redis
  version: v1
  metadata:
    - { name: redisHost, value: "redis:6379" }
`;
    const { exitCode, out } = await check({ "state.yaml": other });
    expect(out).toBe(`state.yaml: invalid, 1 problem
  error    state.yaml:6: spec.type must be "bindings.cloud.eventgrid" or "bindings.azure.eventgrid", but is "state.redis"
`);
    expect(exitCode).toBe(3);
  });

  it("prints the same as one object with --json", async () => {
    const { out } = await check({ "orders.yaml": current.replace('"9000"', '"0"') }, "--json");
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      results: [
        {
          source: "orders.yaml",
          valid: false,
          problems: [{ line: 24, field: "handshakePort" }],
          warnings: [],
          directions: [],
        },
      ],
    });
  });

  it("exits with 1 when a folder has no binding at all, such as with a misspelt type", async () => {
    const directory = directoryWith({
      "components/orders.yaml": current.replace("bindings.cloud.eventgrid", "bindings.eventgrid"),
    });
    const { exitCode, out, error } = await command(["check", "components"], { directory });
    expect([exitCode, out, error]).toEqual([
      1,
      "",
      "error: there is no Event Grid binding in components/orders.yaml\n",
    ]);
  });

  it("exits with 2 without a file and an environment", async () => {
    expect((await command(["check"])).exitCode).toBe(2);
  });
});

describe("cloud-eventgrid check with environments", () => {
  const input = {
    ORDERS_DIRECTION: "input",
    ORDERS_TENANT_ID: "11111111-1111-4111-8111-111111111111",
    ORDERS_CLIENT_ID: "44444444-4444-4444-8444-444444444444",
    ORDERS_HANDSHAKE_PORT: "9000",
    ORDERS_WEBHOOK_PATH: "/api/events",
  };

  it("accepts a complete environment and says what it would do", async () => {
    const { exitCode, out } = await command(["check", "--env", "ORDERS"], { env: input });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^ORDERS_…: valid\n {2}Receives events\n/);
  });

  it("accepts the environment of a service that receives from a namespace", async () => {
    const env = {
      ORDERS_NAMESPACE_ENDPOINT: "https://shop.westeurope-1.eventgrid.azure.net",
      ORDERS_TOPIC_NAME: "orders",
      ORDERS_SUBSCRIPTION_NAME: "shop",
    };
    const { exitCode, out } = await command(["check", "--env", "ORDERS"], { env });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/event subscription +shop/);
  });

  it("reports every missing variable and exits with 3", async () => {
    const env = { ...input, ORDERS_TENANT_ID: undefined, ORDERS_CLIENT_ID: "" };
    const { exitCode, out } = await command(["check", "--env", "ORDERS"], { env });
    expect(exitCode).toBe(3);
    expect(out).toContain("ORDERS_TENANT_ID");
    expect(out).toContain("ORDERS_CLIENT_ID");
  });

  it("never prints an access key", async () => {
    const env = {
      SHOP_TOPIC_ENDPOINT: "https://orders.westeurope-1.eventgrid.azure.net/api/events",
      SHOP_ACCESS_KEY: "hush",
    };
    for (const args of [[], ["--json"]]) {
      const { exitCode, out } = await command(["check", "--env", "SHOP", ...args], { env });
      expect(exitCode).toBe(0);
      expect(out).not.toContain("hush");
    }
  });

  it("reads the variables of a file with --dotenv", async () => {
    const text = Object.entries(input).map(([name, value]) => `${name}=${value}\n`);
    const directory = directoryWith({ ".env": text.join("") });
    const args = ["check", "--env", "ORDERS", "--dotenv", ".env"];
    expect((await command(args, { directory })).exitCode).toBe(0);
  });
});
