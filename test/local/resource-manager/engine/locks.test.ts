import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { newIdentity, refusal, signIn } from "../../support/management-client.js";

const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const topic = { location: "westeurope" };

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

  it("is shown as it was written, and refuses with the operation and the locked scopes", async () => {
    const { call } = await startGroup();
    await call("PUT", TOPIC, topic);
    const properties = { level: "CanNotDelete", notes: "n".repeat(512) };
    const lock = { id: lockAt(TOPIC), name: "keep", type: "Microsoft.Authorization/locks" };
    expect((await call("PUT", lockAt(TOPIC), { properties })).body).toEqual({
      ...lock,
      properties,
    });
    expect((await call("GET", lockAt(TOPIC))).body).toEqual({ ...lock, properties });
    const refusalOf = (scope: string, operation: string, level: string) =>
      refusal(
        409,
        "ScopeLocked",
        `The scope '${scope}' cannot perform ${operation} operation because following scope(s) are locked: '${level}'. Please remove the lock and try again.`,
      );
    expect(await call("DELETE", GROUP)).toMatchObject(refusalOf(GROUP, "delete", TOPIC));
    await call("PUT", lockAt(GROUP), { properties: { level: "ReadOnly" } });
    expect(await call("POST", `${TOPIC}/listKeys`)).toMatchObject(
      refusalOf(TOPIC, "listKeys", GROUP),
    );
    expect((await call("GET", `${GROUP}/resources`)).body).toMatchObject({
      value: [{ name: "orders" }],
    });
    const tags = `${TOPIC}/providers/Microsoft.Resources/tags/default`;
    const tagged = await call("PUT", tags, { properties: { tags: {} } });
    expect(tagged).toMatchObject(refusalOf(TOPIC, "write", GROUP));
    expect(await call("PUT", lockAt(`${TOPIC}-2`), { properties })).toMatchObject(
      refusal(404, "ResourceNotFound"),
    );
  });

  it("needs a known level, and the right to write locks", async () => {
    const { cloud, call } = await startGroup();
    for (const [properties, message] of [
      [{ level: "Never" }, "level 'Never' is invalid. Write one of CanNotDelete, ReadOnly."],
      [{ level: "ReadOnly", notes: "n".repeat(513) }, "at most 512 characters, not 513."],
    ] as const) {
      expect(await call("PUT", lockAt(GROUP), { properties })).toMatchObject(
        refusal(400, "InvalidRequestContent", expect.stringContaining(message)),
      );
    }
    const contributor = newIdentity(cloud, "contributor");
    cloud.control.assignRole("Contributor", contributor.principalId, SUBSCRIPTION);
    const asContributor = await signIn(cloud, contributor);
    const body = { properties: { level: "ReadOnly" } };
    expect((await asContributor("PUT", lockAt(GROUP), body)).status).toBe(403);
  });
});
