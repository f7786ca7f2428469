import { Client, type Context } from "@microsoft/microsoft-graph-client";
import { describe, expect, it } from "vitest";
import { startCloud } from "../support/cloud.js";
import { deployer, requestToken, send, textIn } from "../support/management-client.js";

async function start() {
  const cloud = await startCloud({ control: true });
  const { origin } = cloud.control;
  const { body } = await requestToken(cloud, deployer(cloud), `${origin}/.default`);
  const token = textIn(body, "access_token");
  // Node's fetch trusts the certificate only from the start of a process.
  const client = Client.initWithMiddleware({
    baseUrl: `${origin}/`,
    customHosts: new Set(["localhost"]),
    middleware: {
      async execute(context: Context) {
        const { pathname, search } = new URL(String(context.request));
        const { method = "GET", body: content } = context.options ?? {};
        const answer = await send(cloud, method, pathname + search, {
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(typeof content === "string" ? { body: content } : {}),
        });
        const text = answer.body === undefined ? null : JSON.stringify(answer.body);
        const headers = { "content-type": "application/json" };
        context.response = new Response(text, { status: answer.status, headers });
      },
    },
  });
  const orders = cloud.applications.create({ displayName: "orders webhook" });
  cloud.applications.create({ displayName: "billing webhook" });
  return { cloud, client, orders };
}

describe("@microsoft/microsoft-graph-client", () => {
  it("selects, filters, counts and pages", async () => {
    const { client, orders } = await start();
    const filtered = await client
      .api("/applications")
      .filter("startswith(displayName,'orders')")
      .select("displayName,appId")
      .get();
    expect(filtered.value).toEqual([{ appId: orders.clientId, displayName: "orders webhook" }]);
    const page = await client.api("/applications").top(2).count().get();
    expect(page["@odata.count"]).toBe(3);
    expect(page.value).toHaveLength(2);
    const next = await client.api(page["@odata.nextLink"]).get();
    expect(next.value).toHaveLength(1);
  });

  it("finds objects by client ID, by object IDs and by name", async () => {
    const { cloud, client, orders } = await start();
    const byAppId = await client.api(`/servicePrincipals(appId='${orders.clientId}')`).get();
    expect(byAppId).toMatchObject({ id: orders.servicePrincipal.objectId });
    const quoted = await client.api(`/applications('${orders.objectId}')`).get();
    expect(quoted).toMatchObject({ appId: orders.clientId });
    const directory = cloud.directory.tenant(cloud.tenantId)?.usersAndGroups;
    directory?.set("user", { displayName: "Ada", type: "User" });
    directory?.set("team", { displayName: "team", type: "Group" });
    const own = [orders.objectId, orders.servicePrincipal.objectId];
    const ids = [...own, "team", "user", orders.tenantId];
    const { value } = await client.api("/directoryObjects/getByIds").post({ ids });
    expect(value.map((each: object) => Reflect.get(each, "@odata.type"))).toEqual([
      "#microsoft.graph.application",
      "#microsoft.graph.servicePrincipal",
      "#microsoft.graph.group",
      "#microsoft.graph.user",
    ]);
    const ada = await client.api("/users/ada@local.onmicrosoft.com").get();
    expect(ada).toMatchObject({ id: "user", displayName: "Ada" });
    await expect(client.api("/users/team").get()).rejects.toMatchObject({ statusCode: 404 });
  });

  it.each([
    ["$expand=owners", "does not support the query option '$expand'"],
    ["$filter=endswith(displayName,'hook')", "Invalid filter clause"],
    ["$top=many", "Invalid value 'many'"],
  ])("is refused the unsupported query %s", async (query, message) => {
    const { client, orders } = await start();
    const refused = { statusCode: 400, message: expect.stringContaining(message) };
    await expect(client.api(`/applications?${query}`).get()).rejects.toMatchObject(refused);
    if (!query.startsWith("$expand")) return;
    const one = client.api(`/applications/${orders.objectId}?${query}`);
    await expect(one.get()).rejects.toMatchObject(refused);
  });
});
