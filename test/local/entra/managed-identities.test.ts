import type { LocalCloud } from "cloud-eventgrid-local";
import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { itWith } from "../../support/describe-with.js";
import { root } from "../../support/project.js";
import { GROUP, startGroup } from "../support/cloud.js";
import { environmentOf, outputOf, runCommand, startCommand } from "../support/command.js";
import { type Call, reachableBy, signIn, textIn } from "../support/management-client.js";
import { runPython, startProgram } from "../support/run-program.js";

const SHOP = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop`;
const ORDERS = `${GROUP}/providers/Microsoft.App/containerApps/orders`;
const AUDIENCE = "https://eventgrid.azure.net";

/** A cloud with a user-assigned identity, and a container app that has one of its own. */
async function start() {
  const { cloud, call } = await startGroup();
  const identity = await call("PUT", SHOP, { location: "westeurope" });
  const clientId = textIn(identity.body, "properties", "clientId");
  const principalId = textIn(identity.body, "properties", "principalId");
  const environmentId = `${GROUP}/providers/Microsoft.App/managedEnvironments/apps`;
  await call("PUT", environmentId, { location: "westeurope", properties: {} });
  const app = await call("PUT", ORDERS, {
    location: "westeurope",
    identity: { type: "SystemAssigned" },
    properties: { environmentId, configuration: {}, template: { containers: [] } },
  });
  return {
    cloud,
    call,
    clientId,
    principalId,
    appPrincipalId: textIn(app.body, "identity", "principalId"),
  };
}

/** A token request as a client sends it. */
async function requestToken(
  environment: Record<string, string>,
  query: Record<string, string> = {},
  header = environment.IDENTITY_HEADER ?? "",
) {
  const given = { "api-version": "2019-08-01", resource: AUDIENCE, ...query };
  const url = `${environment.IDENTITY_ENDPOINT}?${new URLSearchParams(given)}`;
  const answer = await fetch(url, {
    headers: header === "" ? {} : { "x-identity-header": header },
  });
  const text = await answer.text();
  const body: Record<string, unknown> = text === "" ? {} : JSON.parse(text);
  return { status: answer.status, body };
}

describe("the token endpoint of managed identities", () => {
  it("issues a token of the documented form for a user-assigned identity", async () => {
    const { cloud, clientId, principalId } = await start();
    const environment = cloud.identityEnvironment("shop");
    expect(environment).toMatchObject({
      IDENTITY_ENDPOINT: `${cloud.httpOrigin}/msi/token`,
      AZURE_CLIENT_ID: clientId,
    });
    for (const name of ["ARM_CLIENT_SECRET", "AZURE_CLIENT_SECRET", "AZURE_TENANT_ID"]) {
      expect(environment).not.toHaveProperty(name);
    }
    for (const named of [
      { client_id: clientId },
      { principal_id: principalId },
      { object_id: principalId },
      { mi_res_id: SHOP },
    ]) {
      const { status, body } = await requestToken(environment, named);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.any(String),
          expires_on: expect.stringMatching(/^\d{10}$/),
          resource: AUDIENCE,
          token_type: "Bearer",
          client_id: clientId,
        },
      });
      expect(decodeJwt(String(body.access_token))).toMatchObject({
        aud: AUDIENCE,
        appid: clientId,
        appidacr: "2",
        oid: principalId,
        xms_mirid: SHOP,
      });
    }
  });

  it("issues a token for a system-assigned identity to a request that names none", async () => {
    const { cloud, appPrincipalId } = await start();
    const environment = cloud.identityEnvironment(ORDERS);
    expect(environment).not.toHaveProperty("AZURE_CLIENT_ID");
    for (const resource of [AUDIENCE, `${AUDIENCE}/`]) {
      const { body } = await requestToken(environment, { resource });
      expect(decodeJwt(String(body.access_token))).toMatchObject({
        aud: resource,
        oid: appPrincipalId,
      });
    }
  });

  it("refuses a request without the header, or with that of a deleted identity", async () => {
    const { cloud, call, clientId } = await start();
    const environment = cloud.identityEnvironment("shop");
    const query = { client_id: clientId };
    expect(await requestToken(environment, query, "")).toEqual({ status: 403, body: {} });
    expect(await requestToken(environment, query, "0".repeat(64))).toMatchObject({ status: 403 });
    await call("DELETE", SHOP);
    expect(await requestToken(environment, query)).toMatchObject({ status: 403 });
  });

  it("refuses what names another identity, or what it does not understand", async () => {
    const { cloud, clientId, principalId } = await start();
    const unknown = "Unable to load the proper Managed Identity.";
    for (const [name, query, message] of [
      ["shop", {}, unknown],
      ["shop", { client_id: principalId }, unknown],
      ["orders", { client_id: clientId }, unknown],
      ["shop", { client_id: clientId, mi_res_id: SHOP }, "client_id, mi_res_id cannot be combined"],
      ["orders", { "api-version": "2017-09-01" }, "Use 2019-08-01."],
      ["orders", { resource: "" }, "'resource' is missing"],
      ["orders", { resource: "api://nobody" }, "AADSTS500011"],
    ] as const) {
      const answer = await requestToken(cloud.identityEnvironment(name), query);
      expect(answer).toEqual({
        status: 400,
        body: {
          statusCode: 400,
          message: expect.stringContaining(message),
          correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      });
    }
  });

  it("lists the identities if the name is unknown", async () => {
    const { cloud } = await start();
    expect(() => cloud.identityEnvironment("nobody")).toThrow(
      expect.objectContaining({
        code: "ERR_UNKNOWN_IDENTITY",
        message: expect.stringContaining(`\n  - ${SHOP}\n  - ${ORDERS}`),
      }),
    );
  });
});

/** Creates a topic and returns its endpoint over HTTPS, which tokens need. */
async function httpsTopic(cloud: LocalCloud, call: Call) {
  const topic = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
  const properties = { inputSchema: "CloudEventSchemaV1_0" };
  await call("PUT", topic, { location: "westeurope", properties });
  const { body } = await call("GET", topic);
  const endpoint = textIn(body, "properties", "endpoint");
  const events = () => cloud.topics.list()[0]?.events();
  return { id: topic, endpoint, events };
}

/** Publishes with each credential, prints how the topic answered, and once more after a line of input. */
const publish = (endpoint: string, credentials: readonly string[]) => `
  import { once } from "node:events";
  import { EventGridPublisherClient } from "@azure/eventgrid";
  import * as identity from "@azure/identity";
  const event = { type: "placed", source: "/shop", id: "1", data: {} };
  const credentials = [${credentials.map((each) => `new identity.${each}`)}];
  for (const attempt of [1, 2]) {
    for (const credential of credentials) {
      const client = new EventGridPublisherClient("${endpoint}", "CloudEvent", credential);
      await client.send([event]).then(
        () => console.log("published"),
        ({ statusCode, code, message }) => console.log(statusCode, code, message),
      );
    }
    if (attempt === 1) await once(process.stdin, "data");
  }
  process.exit();`;

describe("credentials of @azure/identity", () => {
  it.each([
    [
      "shop",
      "DefaultAzureCredential()",
      "ManagedIdentityCredential({ clientId: process.env.AZURE_CLIENT_ID })",
    ],
    ["orders", "DefaultAzureCredential()", "ManagedIdentityCredential()"],
  ])(
    "publish with the identity %s once it has the role, as %s and %s",
    async (name, ...credentials) => {
      const { cloud, call, principalId, appPrincipalId } = await start();
      const topic = await httpsTopic(cloud, call);
      const principal = name === "shop" ? principalId : appPrincipalId;
      const program = publish(topic.endpoint, credentials);
      const { child, printed } = startProgram(
        process.execPath,
        ["--input-type=module", "--eval", program],
        { cwd: root, env: cloud.identityEnvironment(name) },
      );
      const refusal = `401 Unauthorized The principal associated with access token.*Assign '${principal}' the role 'EventGrid Data Sender' there\\..*\n`;
      await printed(new RegExp(`^(${refusal}){2}$`));
      cloud.control.assignRole("EventGrid Data Sender", principal, topic.id);
      child.stdin.write("\n");
      await printed(/^published\npublished\n$/m);
      expect(topic.events()).toMatchObject([{ type: "placed" }, { type: "placed" }]);
    },
  );
});

describe("Python's credentials", () => {
  itWith("python3-azure", "publish with a managed identity", async () => {
    const { cloud, call, principalId } = await start();
    const topic = await httpsTopic(cloud, call);
    cloud.control.assignRole("EventGrid Data Sender", principalId, topic.id);
    const program = `
from azure.core.messaging import CloudEvent
from azure.eventgrid import EventGridPublisherClient
from azure.identity import DefaultAzureCredential
client = EventGridPublisherClient("${topic.endpoint}", DefaultAzureCredential())
client.send(CloudEvent(type="placed", source="/shop", data={}))`;
    await runPython(program, cloud.identityEnvironment("shop"));
    expect(topic.events()).toMatchObject([{ type: "placed" }]);
  });
});

it("env --identity prints the variables of the identity, and removes other credentials from the shell", async () => {
  const { directory } = await startCommand(["--quiet"]);
  const call = await signIn(reachableBy(await environmentOf(directory)));
  await call("PUT", GROUP, { location: "westeurope" });
  const { body } = await call("PUT", SHOP, { location: "westeurope" });

  vi.stubEnv("AZURE_CLIENT_ID", "the deployer's");
  vi.stubEnv("AZURE_CLIENT_SECRET", "local-deployer-secret");
  vi.stubEnv("AZURE_TENANT_ID", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const out = await outputOf(directory, "env", "--identity", "shop", "--proxy");
  expect(out).toMatch(/^export IDENTITY_ENDPOINT='http:\/\/127\.0\.0\.1:\d+\/msi\/token'$/m);
  expect(out).toMatch(/^export IDENTITY_HEADER='[0-9a-f]{64}'$/m);
  expect(out).toMatch(/^export HTTPS_PROXY=/m);
  expect(out).toContain(`export AZURE_CLIENT_ID='${textIn(body, "properties", "clientId")}'\n`);
  expect(out.match(/^unset .*$/gm)).toEqual(["unset AZURE_CLIENT_SECRET"]);
  const nobody = runCommand(["env", "--identity", "nobody"], directory);
  expect(await nobody.exitCode).toBe(1);
  expect(nobody.err()).toContain("No managed identity has the name 'nobody'.");
});
