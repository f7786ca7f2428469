import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startWebhook } from "../support/cloud.js";
import { emptyDirectory, runCommand } from "../support/command.js";
import { reachableBy, signIn } from "../support/management-client.js";

const CLIENT_ID = "77777777-7777-4777-8777-777777777777";
const TOPIC =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders";

function configure(directory: string, configuration: object): void {
  writeFileSync(join(directory, "cloud-eventgrid-local.json"), JSON.stringify(configuration));
}

describe("the start command", () => {
  it("prints addresses, the certificate file and the environment, and exits with code 0", async () => {
    const directory = emptyDirectory();
    const command = runCommand([], directory);
    await command.printed(/AZURE_CLIENT_SECRET/);

    expect(command.out()).toMatch(/HTTP +http:\/\/127\.0\.0\.1:\d+/);
    expect(command.out()).toMatch(/HTTPS +https:\/\/localhost:\d+/);
    expect(command.out()).toContain(join(directory, ".cloud-eventgrid-local", "ca.pem"));
    expect(command.out()).toMatch(/export ARM_METADATA_HOSTNAME='localhost:\d+'/);
    expect(await command.interrupt()).toBe(0);
    expect(command.err()).toBe("");
  });

  it("excludes its files from version control and protects secrets from other users", async () => {
    const directory = emptyDirectory();
    const command = runCommand([], directory);
    await command.printed(/export/);
    const state = join(directory, ".cloud-eventgrid-local");

    expect(readFileSync(join(state, ".gitignore"), "utf8")).toBe("*\n");
    expect(statSync(join(state, "running.json")).mode & 0o077).toBe(0);
    expect(statSync(join(state, "ca-key.pem")).mode & 0o077).toBe(0);
    await command.interrupt();
    expect(existsSync(join(state, "running.json"))).toBe(false);
  });

  it("reuses the certificate authority of the previous start", async () => {
    const directory = emptyDirectory();
    const file = join(directory, ".cloud-eventgrid-local", "ca.pem");
    const first = runCommand([], directory);
    await first.printed(/export/);
    const certificate = readFileSync(file, "utf8");
    await first.interrupt();
    await runCommand([], directory).printed(/export/);
    expect(readFileSync(file, "utf8")).toBe(certificate);
  });

  it("refuses to start in a directory that another cloud uses", async () => {
    const directory = emptyDirectory();
    await runCommand([], directory).printed(/export/);
    const second = runCommand([], directory);
    expect(await second.exitCode).toBe(1);
    expect(second.err()).toMatch(/^cloud-eventgrid-local: A local Azure already runs in /);
  });

  it.each(["--port", "--https-port"])("reports that the port of %s is in use", async (flag) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const command = runCommand([flag, port], emptyDirectory());

    expect(await command.exitCode).toBe(1);
    expect(command.err()).toContain(`Port ${port} of 127.0.0.1 is in use.`);
    taken.close();
  });

  it("reports that its directory cannot be created", async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, "file"), "");
    const command = runCommand(["--directory", "file/below"], directory);
    expect(await command.exitCode).toBe(1);
    expect(command.err()).toMatch(
      /^cloud-eventgrid-local: ENOTDIR: not a directory, mkdir '.+'\n$/,
    );
  });

  it("lets flags override the configuration file", async () => {
    const directory = emptyDirectory();
    const tenantId = "88888888-8888-4888-8888-888888888888";
    configure(directory, { tenantId, topics: [{ name: "from-file" }] });
    const subscriptionId = "99999999-9999-4999-8999-999999999999";
    const command = runCommand(
      ["--subscription-id", subscriptionId, "--topic", "from-flag"],
      directory,
    );
    await command.printed(/export/);

    expect(command.out()).toContain(`ARM_TENANT_ID='${tenantId}'`);
    expect(command.out()).toContain(`ARM_SUBSCRIPTION_ID='${subscriptionId}'`);
    expect(command.out()).toMatch(/topic from-file +http/);
    expect(command.out()).toMatch(/topic from-flag +http/);
  });

  it("starts without a control plane", async () => {
    const directory = emptyDirectory();
    configure(directory, { control: false });
    const command = runCommand([], directory);
    await command.printed(/HTTP /);
    expect(command.out()).not.toContain("HTTPS");
    expect(command.out()).not.toContain("export");
  });
});

describe("the configuration file", () => {
  it("declares applications with secrets, roles and permissions, topics, users and groups", async () => {
    const directory = emptyDirectory();
    configure(directory, {
      tenants: [{ tenantId: "88888888-8888-4888-8888-888888888888" }],
      people: [{ objectId: "66666666-6666-4666-8666-666666666666", type: "Group" }],
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
    const command = runCommand([], directory);
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
    const event = JSON.stringify({ specversion: "1.0", id: "1", source: "/s", type: "placed" });
    for (const authentication of [
      { authorization: `Bearer ${token}` },
      { "aeg-sas-key": "a-key-of-mine" },
    ]) {
      const headers = { ...authentication, "content-type": "application/cloudevents+json" };
      const published = await fetch(endpoint, { method: "POST", headers, body: event });
      expect(published.status).toBe(200);
    }
  });

  it.each([
    [{}, "NotRegistered"],
    [{ topics: [{ name: "orders" }] }, "Registered"],
    [{ topics: [{ name: "orders" }], control: { eventGridRegistered: false } }, "NotRegistered"],
  ])("with %j leaves Event Grid %s", async (configuration, registrationState) => {
    const directory = emptyDirectory();
    configure(directory, configuration);
    const command = runCommand([], directory);
    await command.printed(/AZURE_CLIENT_SECRET/);
    const env = runCommand(["env", "--json"], directory);
    await env.exitCode;
    const call = await signIn(reachableBy(JSON.parse(env.out())));
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
    const directory = emptyDirectory();
    configure(directory, {
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
    });
    const command = runCommand(
      ["--ingress", `https://orders.example.com=${webhook.url}`],
      directory,
    );
    await command.printed(/handshake +orders-sub .+ failed: .+ response code 503/);
    await command.printed(
      /orders-sub waits for its webhook https:\/\/orders\.example\.com\/api\/events: a handshake every 2 seconds until one succeeds\./,
    );
    up = true;
    await command.printed(
      /handshake +orders-sub +https:\/\/orders.example.com\/api\/events +succeeded/,
    );

    const [, endpoint = ""] = await command.printed(/topic orders +(\S+)/);
    await fetch(endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": "key", "content-type": "application/cloudevents+json" },
      body: JSON.stringify({ specversion: "1.0", id: "17", source: "/s", type: "placed" }),
    });
    await command.printed(/delivery +orders-sub +placed 17 +200 delivered/);
    expect(command.out()).not.toContain("s3cret");
    expect(command.out().match(/response code 503/g)).toHaveLength(1);
    expect(command.out().match(/waits for its webhook/g)).toHaveLength(1);
  });

  it("prints every handshake of a client, but its own repeated ones only once", async () => {
    const directory = emptyDirectory();
    configure(directory, { topics: [{ name: "orders", resourceGroupName: "shop" }] });
    const command = runCommand([], directory);
    await command.printed(/CLOUD_AUTHORITY_HOST/);
    const env = runCommand(["env", "--json"], directory);
    await env.exitCode;
    const call = await signIn(reachableBy(JSON.parse(env.out())));
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

  it("with errors ends the command with code 2 and a list of every problem", async () => {
    const directory = emptyDirectory();
    configure(directory, {
      port: "9000",
      topic: [],
      tenantId: "x",
      topics: [{ name: 7 }, { name: "o" }],
      ingress: { "http://a": "http://b" },
      applications: [{ secret: "s3cret" }],
      people: [{ objectId: "x", type: "Robot" }],
      eventSubscriptions: [
        {
          name: "o",
          scope: "q",
          endpointUrl: "http://orders.example.com?code=s3cret",
          filter: { advancedFilters: [{ key: "a" }] },
          deliveryProperties: [{ type: "secret" }, { type: "static", name: "x-a" }],
        },
      ],
    });
    const command = runCommand([], directory);

    expect(await command.exitCode).toBe(2);
    expect(command.err().split("\n").slice(1)).toEqual([
      '  - tenantId must be a UUID, not "x"',
      '  - port must be a whole number from 0 to 65535, not "9000"',
      "  - ingress is invalid: A public address of the ingress table must be https://…, not 'http://a'.",
      '  - people[0].type must be "User" or "Group", not "Robot"',
      "  - applications[0].displayName is missing",
      "  - topics[0].name must be 3 to 50 letters, digits or hyphens, not 7",
      '  - topics[1].name must be 3 to 50 letters, digits or hyphens, not "o"',
      '  - eventSubscriptions[0].name must be 3 to 64 letters, digits or hyphens, not "o"',
      '  - eventSubscriptions[0].scope must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name} or the ID of a resource, not "q"',
      '  - eventSubscriptions[0].endpointUrl must be an https URL, not "http://orders.example.com"',
      "  - eventSubscriptions[0].filter.advancedFilters[0] must be an object with a key and an operatorType, not an object",
      '  - eventSubscriptions[0].deliveryProperties[0].type must be "static" or "dynamic", not "secret"',
      "  - eventSubscriptions[0].deliveryProperties[1].value is missing",
      expect.stringMatching(
        /^ {2}- topic is unknown; known fields: tenantId, subscriptionId, port/,
      ),
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

  it("is refused when it names an unknown role", async () => {
    const directory = emptyDirectory();
    const azureRoles = [{ role: "EventGrid Wizard", scope: "/" }];
    configure(directory, { applications: [{ displayName: "a", azureRoles }] });
    const command = runCommand([], directory);
    expect(await command.exitCode).toBe(1);
    expect(command.err()).toContain("Unknown built-in role 'EventGrid Wizard'.");
  });
});

describe("the command line", () => {
  it("prints help and version", async () => {
    const help = runCommand(["--help"], emptyDirectory());
    expect(await help.exitCode).toBe(0);
    expect(help.out()).toContain('eval "$(cloud-eventgrid-local env)"');
    const version = runCommand(["--version"], emptyDirectory());
    expect(await version.exitCode).toBe(0);
    expect(version.out()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("reports an invalid setting with exit code 2", async () => {
    const command = runCommand(["--topic", "o", "--tenant-id", "x"], emptyDirectory());
    expect(await command.exitCode).toBe(2);
    expect(command.err().split("\n").slice(1)).toEqual([
      '  - tenantId must be a UUID, not "x"',
      '  - topics[0].name must be 3 to 50 letters, digits or hyphens, not "o"',
      "",
    ]);
  });

  it("takes every option from a variable, too", async () => {
    process.env.EVENTGRID_LOCAL_TOPIC = "orders payments";
    process.env.EVENTGRID_LOCAL_TOKEN = "from-variable";
    process.env.EVENTGRID_LOCAL_TENANT_ID = "88888888-8888-4888-8888-888888888888";
    try {
      const command = runCommand([], emptyDirectory());
      await command.printed(/topic payments +http/);
      expect(command.out()).toMatch(/tenant +88888888-/);
      expect(command.out()).toMatch(/dashboard +http\S+\?token=from-variable/);
    } finally {
      delete process.env.EVENTGRID_LOCAL_TOPIC;
      delete process.env.EVENTGRID_LOCAL_TOKEN;
      delete process.env.EVENTGRID_LOCAL_TENANT_ID;
    }
  });

  it.each([
    [["fly"], "unknown command 'fly'"],
    [["--prot", "1"], "--prot"],
    [["--port", "http"], "argument 'http' is invalid. It must be a whole number from 0 to 65535."],
    [["--ingress", "orders"], "argument 'orders' is invalid. It must be PUBLIC=TARGET."],
    [["--ingress", "http://a=http://b"], "must be https://"],
    [["--config", "missing.json"], "missing.json"],
  ])("refuses the arguments %j", async (argv, message) => {
    const command = runCommand(argv, emptyDirectory());
    expect(await command.exitCode).toBeGreaterThan(0);
    expect(command.err()).toContain(message);
    expect(command.out()).toBe("");
  });
});

describe("the env command", () => {
  it("prints the environment as shell code and as JSON", async () => {
    const directory = emptyDirectory();
    const running = runCommand([], directory);
    const [block = ""] = await running.printed(/export ARM[\s\S]+CLOUD_AUTHORITY_HOST='.+'\n/);
    const env = runCommand(["env"], directory);
    expect(await env.exitCode).toBe(0);
    expect(env.out()).toBe(block);

    const json = runCommand(["env", "--json"], directory);
    await json.exitCode;
    expect(JSON.parse(json.out())).toMatchObject({
      ARM_TENANT_ID: "11111111-1111-4111-8111-111111111111",
    });

    const proxy = runCommand(["env", "--json", "--proxy"], directory);
    await proxy.exitCode;
    expect(JSON.parse(proxy.out())).toMatchObject({
      HTTPS_PROXY: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(proxy.out()).not.toContain("AZURE_AUTHORITY_HOST");
  });

  it("includes the issuer of tokens in deliveries, which differs from the address for signing in", async () => {
    const directory = emptyDirectory();
    const running = runCommand([], directory);
    const [, origin = ""] = await running.printed(/HTTP +(\S+)/);
    const env = runCommand(["env", "--json"], directory);
    await env.exitCode;
    const { CLOUD_AUTHORITY_HOST, AZURE_AUTHORITY_HOST } = JSON.parse(env.out());
    expect(CLOUD_AUTHORITY_HOST).toBe(origin);
    expect(AZURE_AUTHORITY_HOST).toMatch(/^https:/);
  });

  it("fails when no cloud runs, also after a crash", async () => {
    const directory = emptyDirectory();
    const running = runCommand([], directory);
    await running.printed(/export/);
    const file = join(directory, ".cloud-eventgrid-local", "running.json");
    const left = readFileSync(file);
    await running.interrupt();
    writeFileSync(file, left);

    const env = runCommand(["env"], directory);
    expect(await env.exitCode).toBe(1);
    expect(env.err()).toContain("No local Azure runs in");
  });
});
