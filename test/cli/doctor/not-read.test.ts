import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { componentIn } from "../temporary.js";
import { Deployment, ENDPOINT, type Finding } from "./deployment.js";
import { silentReads } from "./silent-reads.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

async function examine(args: readonly string[] = []) {
  const { endpoint, accessKey } = deployment.topic;
  const fields = { topicEndpoint: endpoint, accessKey };
  const { exitCode, out } = await deployment.doctor(["--json", ...args], fields);
  return { exitCode, ...(JSON.parse(out) as { ok: boolean; findings: Finding[] }) };
}

/** Deploys a binding whose dead letters are written by the identity of the topic. */
async function deployWithDeadLetters(): Promise<void> {
  deployment.allowDeployer();
  await deployment.storeDeadLetters(await deployment.createAccount());
}

describe("cloud-eventgrid doctor on what it may not read", () => {
  it("says so of every answer that its verdict depends on", async () => {
    await deployWithDeadLetters();
    const { endpoint, accessKey } = deployment.topic;
    const fields = { topicEndpoint: endpoint, accessKey };
    const silent = await silentReads(deployment, () => deployment.doctor(["--json"], fields));
    const { subscriptionId } = deployment.cloud;
    expect(silent).toEqual([
      // An event subscription that exists implies the registration of its provider.
      `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid`,
      // A writer that has the app role need not own the application.
      expect.stringMatching(/\/owners$/),
    ]);
  }, 60_000);

  it.each([
    ["schema", ENDPOINT, undefined],
    ["endpoint", undefined, "CloudEventSchemaV1_0"],
  ])("does not take the %s for fine that Azure does not show", async (what, url, schema) => {
    await deployment.subscribe();
    const destination = {
      endpointType: "WebHook",
      properties: {
        endpointBaseUrl: url,
        azureActiveDirectoryApplicationIdOrUri: deployment.application.clientId,
      },
    };
    deployment.showSubscription({ destination, eventDeliverySchema: schema });
    const { exitCode, findings } = await examine();
    expect(exitCode).toBe(4);
    expect(findings.filter(({ status }) => status === "unknown")).toEqual([
      expect.objectContaining({
        check: "destination",
        message: expect.stringMatching(`^Azure does not show the ${what} of`),
      }),
    ]);
  });

  it("does not compare the access key that a document only refers to", async () => {
    const { endpoint } = deployment.topic;
    const metadata = [
      { name: "topicEndpoint", value: endpoint },
      { name: "accessKey", secretKeyRef: { name: "orders", key: "access-key" } },
    ];
    const args = ["orders.json"];
    const { exitCode, out, error } = await deployment.run(args, {}, componentIn(metadata));
    expect(error).toBe("");
    expect(out).toMatch(/unknown +publisher +the access key was not checked/);
    expect(exitCode).toBe(4);
  });

  it("does not count a role whose assignment has a condition", async () => {
    const { servicePrincipal } = deployment.cloud.applications.create({ displayName: "pipeline" });
    await deployment.subscribe();
    const id = `${deployment.topic.id}/providers/Microsoft.Authorization/roleDefinitions/writer`;
    const properties = { scope: deployment.topic.id, roleDefinitionId: id, condition: "@Resource" };
    deployment.canned = ({ pathname }) => {
      if (pathname.endsWith("/roleAssignments")) {
        return { status: 200, body: { value: [{ properties }] } };
      }
      const permissions = [{ actions: ["*"], notActions: [] }];
      return pathname === id ? { status: 200, body: { properties: { permissions } } } : undefined;
    };
    const writer = servicePrincipal.objectId;
    const { status, message } = await deployment.finding("writer", ["--writer", writer]);
    expect([status, message]).toEqual(["unknown", "the role is assigned with a condition"]);
  });

  it("does not judge a list whose next page is elsewhere", async () => {
    await deployment.subscribe();
    deployment.canned = ({ pathname }) =>
      pathname.endsWith("/eventSubscriptions")
        ? { status: 200, body: { value: [], nextLink: "https://elsewhere.example.com/2" } }
        : undefined;
    const { exitCode, error } = await deployment.doctor();
    expect([exitCode, error]).toEqual([
      1,
      "error: a list is not complete: its next page is at https://elsewhere.example.com\n",
    ]);
  });
});
