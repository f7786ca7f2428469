import { describe, expect, it } from "vitest";
import { all, azureClients } from "../../support/azure-clients.js";
import { GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { type Call, refusal } from "../../support/management-client.js";

/** Two resource groups; `shop` has a storage account and three topics, `blog` one topic. */
async function start() {
  const { cloud, call } = await startGroup({ team: "shop" });
  const account = `${GROUP}/providers/Microsoft.Storage/storageAccounts/photos`;
  await call("PUT", account, {
    location: "northeurope",
    tags: { team: "shop", tier: "free" },
  });
  for (const name of ["orders", "refunds", "reviews"]) {
    cloud.topics.create({ name, resourceGroupName: "shop" });
  }
  cloud.topics.create({ name: "posts", resourceGroupName: "blog" });
  return { cloud, call };
}

async function names(call: Call, path: string, query: Record<string, string>): Promise<unknown> {
  const { status, body } = await call("GET", `${path}?${new URLSearchParams(query)}`);
  if (status !== 200) return body;
  const { value } = Object(body);
  return Array.isArray(value) ? value.map(({ name }) => name) : body;
}

describe("filters of all resources", () => {
  it.each<[string, string[]]>([
    // As az sends them for `az resource list` with its options.
    ["resourceGroup eq 'blog'", ["posts"]],
    ["resourceGroup eq 'shop' and name eq 'ORDERS'", ["orders"]],
    ["location eq 'northeurope'", ["photos"]],
    ["resourceType eq 'Microsoft.Storage/storageAccounts'", ["photos"]],
    ["tagname eq 'team' and tagvalue eq 'shop'", ["photos"]],
    ["tagname eq 'team' and tagvalue eq 'free'", []],
    ["startswith(tagname, 'ti')", ["photos"]],
    ["name eq 'reviews' or resourceGroup eq 'blog'", ["posts", "reviews"]],
    ["resourceGroup ne 'shop'", ["posts"]],
    ["substringof('RE', name)", ["refunds", "reviews"]],
    ["substringof('blo', resourceGroup) or substringof( 'pho' , name )", ["posts", "photos"]],
    ["identity/principalId eq '11111111-1111-4111-8111-111111111111'", []],
  ])("select those with %s", async ($filter, expected) => {
    const { call } = await start();
    expect(await names(call, `${SUBSCRIPTION}/resources`, { $filter })).toEqual(expected);
  });

  it.each([
    "substringof('west', location)",
    "name in ('orders')",
    "atScope()",
    "plan eq 'archive'",
    "name gt 'a'",
    "contains(name, 'orders')",
  ])("are refused if they are %s", async ($filter) => {
    const { call } = await start();
    expect(await names(call, `${SUBSCRIPTION}/resources`, { $filter })).toMatchObject({
      error: { code: "InvalidFilterInQueryString", message: expect.stringContaining($filter) },
    });
  });
});

describe("filters of lists of one type", () => {
  it("compare names for Event Grid, and tags for resource groups", async () => {
    const { call } = await start();
    const topics = `${SUBSCRIPTION}/providers/Microsoft.EventGrid/topics`;
    const $filter = "contains(namE, 'RE') and not (name eq 'reviews')";
    expect(await names(call, topics, { $filter })).toEqual(["refunds"]);
    expect(await names(call, topics, { $filter: "location eq 'westus'" })).toMatchObject({
      error: { message: expect.stringContaining("name eq|ne '…', contains(name, '…')") },
    });
    const groups = `${SUBSCRIPTION}/resourceGroups`;
    const tagged = { $filter: "tagName eq 'team' and tagValue eq 'shop'" };
    expect(await names(call, groups, tagged)).toEqual(["shop"]);
  });

  it("are refused where none is documented", async () => {
    const { call } = await start();
    const accounts = `${SUBSCRIPTION}/providers/Microsoft.Storage/storageAccounts`;
    expect(await names(call, accounts, { $filter: "name eq 'photos'" })).toMatchObject({
      error: { message: expect.stringContaining("This list has no filter.") },
    });
  });
});

describe("pages of lists", () => {
  it("have the size of $top, and the link of the next page", async () => {
    const { cloud, call } = await start();
    const pages = azureClients(cloud)
      .eventGrid.topics.listByResourceGroup("shop", { top: 2 })
      .byPage();
    const sizes = await all(pages);
    expect(sizes.map((page) => page.map(({ name }) => name))).toEqual([
      ["orders", "refunds"],
      ["reviews"],
    ]);
    const resources = await call("GET", `${GROUP}/resources?$top=3`);
    expect(resources.body).toMatchObject({ nextLink: expect.stringContaining("skiptoken=") });
  });

  it("contain 20 resources of Event Grid without $top", async () => {
    const { cloud, call } = await start();
    for (let index = 0; index < 20; index++) cloud.topics.create({ name: `topic-${index}` });
    const topics = `${SUBSCRIPTION}/providers/Microsoft.EventGrid/topics`;
    expect(await names(call, topics, {})).toHaveLength(20);
    expect(await all(azureClients(cloud).eventGrid.topics.listBySubscription())).toHaveLength(24);
  });

  it("lose nothing when a client deletes what it has read", async () => {
    const { cloud } = await start();
    const { topics } = azureClients(cloud).eventGrid;
    for await (const { name = "" } of topics.listByResourceGroup("shop", { top: 1 })) {
      await topics.beginDeleteAndWait("shop", name);
    }
    expect(await all(topics.listByResourceGroup("shop"))).toEqual([]);
  });

  it.each(["0", "x"])("are refused for $top=%s", async ($top) => {
    const { call } = await start();
    const topics = `${SUBSCRIPTION}/providers/Microsoft.EventGrid/topics`;
    expect(await names(call, topics, { $top })).toMatchObject({
      error: { message: expect.stringContaining(`'${$top}'`) },
    });
  });
});

it.each([
  "topics/none/eventSubscriptions",
  "topics/none/providers/Microsoft.EventGrid/eventSubscriptions",
  "topics/none/providers/Microsoft.EventGrid/eventTypes",
  "domains/none/topics",
  "domains/none/topics/any/eventSubscriptions",
  "namespaces/none/topics",
  "systemTopics/none/eventSubscriptions",
  "topics/none/providers/Microsoft.Insights/diagnosticSettings",
  "domains/shop/topics/none/providers/Microsoft.EventGrid/eventSubscriptions",
])("the list %s is 404, because what it is below does not exist", async (path) => {
  const { call } = await startGroup();
  const parent = `${GROUP}/providers/Microsoft.EventGrid`;
  await call("PUT", `${parent}/domains/shop`, { location: "westeurope" });
  expect(await call("GET", `${parent}/${path}`)).toMatchObject(refusal(404, "ResourceNotFound"));
});

it("the list of the event subscriptions of a resource group that does not exist is 404", async () => {
  const { call } = await startGroup();
  const list = `${GROUP}-of-none/providers/Microsoft.EventGrid/eventSubscriptions`;
  expect(await call("GET", list)).toMatchObject(refusal(404, "ResourceGroupNotFound"));
});
