import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { newIdentity, refusal, signIn } from "../../support/management-client.js";

const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;
const topic = { location: "westeurope", tags: { team: "shop" } };

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
    const names = { id: at(scope), name: "default", type: "Microsoft.Resources/tags" };
    const all = { b: "3", c: "4", d: "5" };
    for (const [method, body, tags] of [
      ["PUT", withTags({ a: "1", b: "2", d: "5" }), { a: "1", b: "2", d: "5" }],
      ["PATCH", withTags({ b: "3", c: "4" }, "merge"), { a: "1", ...all }],
      ["PATCH", withTags({ a: "", c: "other" }, "Delete"), all],
      ["PATCH", withTags({ d: "5" }, "Delete"), { b: "3", c: "4" }],
      ["PATCH", withTags({ e: "6" }, "Replace"), { e: "6" }],
      ["DELETE", undefined, {}],
    ] as const) {
      const answer = { status: 200, body: { ...names, properties: { tags } } };
      expect(await call(method, at(scope), body)).toMatchObject(answer);
      expect((await call("GET", at(scope))).body).toEqual(answer.body);
    }
  });

  it("need an action for each request", async () => {
    const { cloud, call } = await startGroup();
    await call("PUT", at(GROUP), withTags({ team: "shop" }));
    const statusesWith = async (action: string) => {
      const caller = newIdentity(cloud, action);
      cloud.control.allow(caller.principalId, [`Microsoft.Resources/tags/${action}`], GROUP);
      const own = await signIn(cloud, caller);
      const answers = [
        await own("GET", at(GROUP)),
        await own("PATCH", at(GROUP), withTags({}, "Merge")),
        await own("DELETE", at(GROUP)),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statusesWith("read")).toEqual([200, 403, 403]);
    expect(await statusesWith("write")).toEqual([403, 200, 403]);
    expect(await statusesWith("delete")).toEqual([403, 403, 200]);
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
    expect(await call("PATCH", at(GROUP), withTags({ a: "1" }, "Add"))).toMatchObject(
      refusal(400, "InvalidTagsPatchOperation"),
    );
    expect(await call("PUT", at(GROUP), { properties: { tags: ["a"] } })).toMatchObject(
      refusal(400, "InvalidRequestContent"),
    );
    expect(await call("PUT", at(GROUP), withTags({ "a/b": "" }))).toMatchObject(
      refusal(400, "InvalidTagNameCharacters"),
    );
  });
});
