import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startGroup } from "../support/cloud.js";
import { newIdentity, refusal, signIn } from "../support/management-client.js";

const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;
const topic = { location: "westeurope", tags: { team: "shop" } };

describe("a management lock", () => {
  const lockAt = (scope: string) => `${scope}/providers/Microsoft.Authorization/locks/keep`;
  const locked = refusal(409, "ScopeLocked");

  it.each([
    ["CanNotDelete", GROUP, [201, 200]],
    ["CanNotDelete", TOPIC, [201, 200]],
    ["ReadOnly", GROUP, [409, 409]],
  ])("%s at %s keeps a topic and its group until it is deleted", async (level, scope, written) => {
    const { call } = await startGroup();
    await call("PUT", TOPIC, topic);
    const put = await call("PUT", lockAt(scope), { properties: { level, notes: "mine" } });
    expect([put.status, put.body]).toMatchObject([201, { name: "keep", properties: { level } }]);
    expect(await call("DELETE", TOPIC)).toMatchObject(locked);
    expect(await call("DELETE", GROUP)).toMatchObject(locked);
    expect((await call("GET", TOPIC)).status).toBe(200);
    const answers = [await call("PUT", TOPIC, topic), await call("POST", `${TOPIC}/listKeys`)];
    expect(answers.map(({ status }) => status)).toEqual(written);
    const list = await call("GET", `${SUBSCRIPTION}/providers/Microsoft.Authorization/locks`);
    expect(list.body).toMatchObject({ value: [{ id: lockAt(scope) }] });
    expect((await call("DELETE", lockAt(scope))).status).toBe(200);
    expect((await call("DELETE", TOPIC)).status).toBe(202);
  });

  it("needs a known level, and the right to write locks", async () => {
    const { cloud, call } = await startGroup();
    const bad = await call("PUT", lockAt(GROUP), { properties: { level: "Never" } });
    expect(bad).toMatchObject(refusal(400, "InvalidRequestContent"));
    const contributor = newIdentity(cloud, "contributor");
    cloud.control.assignRole("Contributor", contributor.principalId, SUBSCRIPTION);
    const asContributor = await signIn(cloud, contributor);
    const body = { properties: { level: "ReadOnly" } };
    expect((await asContributor("PUT", lockAt(GROUP), body)).status).toBe(403);
  });
});

describe("the tags at a scope", () => {
  const at = (scope: string) => `${scope}/providers/Microsoft.Resources/tags/default`;
  const withTags = (tags: object, operation?: string) => ({ operation, properties: { tags } });

  it.each([
    ["a topic", TOPIC],
    ["a storage account", ACCOUNT],
    ["a group", GROUP],
    ["the subscription", SUBSCRIPTION],
  ])("replaces, merges and deletes the tags of %s", async (_, scope) => {
    const { call } = await startGroup();
    await call("PUT", TOPIC, topic);
    await call("PUT", ACCOUNT, topic);
    const tags = async () => (await call("GET", at(scope))).body;
    await call("PUT", at(scope), withTags({ a: "1", b: "2" }));
    expect(await tags()).toMatchObject({ properties: { tags: { a: "1", b: "2" } } });
    await call("PATCH", at(scope), withTags({ b: "3", c: "4" }, "Merge"));
    await call("PATCH", at(scope), withTags({ a: "", c: "other" }, "Delete"));
    expect(await tags()).toEqual({
      id: at(scope),
      name: "default",
      type: "Microsoft.Resources/tags",
      properties: { tags: { b: "3", c: "4" } },
    });
    await call("DELETE", at(scope));
    expect(await tags()).toMatchObject({ properties: { tags: {} } });
  });

  it("are those of the resource, which keeps its other settings", async () => {
    const { call } = await startGroup();
    const properties = { inputSchema: "CloudEventSchemaV1_0", disableLocalAuth: true };
    await call("PUT", TOPIC, { ...topic, properties });
    await call("PATCH", at(TOPIC), withTags({ stage: "test" }, "Merge"));
    expect((await call("GET", TOPIC)).body).toMatchObject({
      tags: { team: "shop", stage: "test" },
      properties,
    });
  });

  it("are refused for a resource that is not there, and with an unknown operation", async () => {
    const { call } = await startGroup();
    expect(await call("PUT", at(TOPIC), withTags({}))).toMatchObject(
      refusal(404, "ResourceNotFound"),
    );
    expect((await call("PATCH", at(GROUP), withTags({ a: "1" }, "Add"))).status).toBe(400);
  });
});
