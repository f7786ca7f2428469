import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { requireRunningInstance } from "../../local/src/cli/running-instance.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startCloud } from "./support/cloud.js";

/** The problems that are reported for options, which may violate the types. */
async function problemsOf(json: string): Promise<string[]> {
  const error = await startCloud(JSON.parse(json)).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ name: "LocalCloudError", code: "ERR_OPTIONS" });
  const [first, ...problems] = String(Object(error).message).split("\n  - ");
  expect(first).toBe("Invalid options of a local Azure:");
  return problems;
}

describe("invalid options of a cloud", () => {
  it("are all reported", async () => {
    const options = {
      tenantId: "x",
      port: "x",
      history: -1,
      prot: 9,
      histroy: 5,
      clock: "steped",
      ingress: { "https://a.example": 5, "b.example": "http://127.0.0.1:1" },
      control: { httpsPort: 65_536, deployer: { name: "me" } },
      onDelivery: "log",
      endpointCa: [7],
      otherSubscriptionIds: ["x"],
      hostNames: ["shop.test", "shop:1"],
      proxyForward: "yes",
      functionApps: { shop: "127.0.0.1:7071" },
      blobPort: 65_536,
      persist: 5,
      stepTimeoutMs: 3_600_001,
      random: 0.5,
    };
    expect(await problemsOf(JSON.stringify(options))).toEqual([
      'tenantId must be a UUID, not "x"',
      'otherSubscriptionIds[0] must be a UUID, not "x"',
      'port must be a whole number from 0 to 65535, not "x"',
      'hostNames[1] must be a host name, without a port, not "shop:1"',
      'proxyForward must be true or false, not "yes"',
      "control.httpsPort must be a whole number from 0 to 65535, not 65536",
      "control.deployer.name is unknown; known fields: clientId, secret",
      'ingress["https://a.example"] must be a URL, or an object with a target, not 5',
      `functionApps.shop must be the address of the app's host, such as http://127.0.0.1:7071, not "127.0.0.1:7071"`,
      'clock must be "real", "stepped" or { scale }, not "steped"',
      "endpointCa[0] must be a string, not 7",
      "blobPort must be a whole number from 0 to 65535, not 65536",
      "history must be a whole number from 1 to 10000000, not -1",
      "persist must be a string, not 5",
      "stepTimeoutMs must be a whole number from 0 to 3600000, not 3600001",
      'onDelivery must be a function, not "log"',
      "random must be a function, not 0.5",
      expect.stringMatching(
        /^prot is unknown; known fields: tenantId, subscriptionId, otherSubscriptionIds, port, host,/,
      ),
      "histroy is unknown: did you mean history?",
    ]);
  });

  it.each([
    ['{"clock":{"scale":0}}', "a number above 0 (60 lets a minute pass in a second), not 0"],
    ['{"clock":{}}', "clock.scale is missing"],
    ['{"port":80.5}', "port must be a whole number from 0 to 65535, not 80.5"],
    ['{"ingress":{"https://a.example":"localhost:9"}}', "must be http://… or https://…"],
    ['{"dashboardToken":""}', 'dashboardToken must be a token that is not empty, or false, not ""'],
    ["null", "it must be an object, not null"],
  ])("%s is refused", async (json, problem) => {
    const [first = "", ...more] = await problemsOf(json);
    expect(first).toContain(problem);
    expect(more).toEqual([]);
  });

  it("are reported without secrets", async () => {
    const [problem = ""] = await problemsOf('{"control":{"deployer":{"secret":{"a":"hush"}}}}');
    expect(problem).toBe("control.deployer.secret must be a string, not an object");
  });
});

it("options that are undefined are ignored", async () => {
  const cloud = await startCloud({ control: { httpsPort: undefined } });
  expect(cloud.control.origin).toMatch(/^https:/);
});

describe("invalid arguments", () => {
  const called: Record<string, (cloud: LocalCloud, json: string) => unknown> = {
    drain: (cloud, json) => cloud.drain(JSON.parse(json)),
    rotate: ({ keys }, json) => keys.rotate(JSON.parse(json)),
    delivery: ({ tokens }, json) => tokens.delivery(JSON.parse(json)),
    createTopic: ({ topics }, json) => topics.create(JSON.parse(json)),
    updateTopic: ({ topics }, json) =>
      topics.update(topics.create({ name: "shop" }).id, JSON.parse(json)),
    getTopic: ({ topics }, json) => topics.get(JSON.parse(json)),
    newKey: ({ topics }, json) =>
      topics.regenerateKey(topics.create({ name: "shop" }).id, JSON.parse(json)),
    createApplication: ({ applications }, json) => applications.create(JSON.parse(json)),
    createTenant: ({ directory }, json) => directory.createTenant(JSON.parse(json)),
    subscribe: ({ eventSubscriptions }, json) => eventSubscriptions.create(JSON.parse(json)),
    emit: (cloud, json) => cloud.emit("Microsoft.Cache.PatchingCompleted", JSON.parse(json)),
    route: ({ ingress }, json) => ingress.route("https://a.example", JSON.parse(json)),
    deliveries: ({ faults }, json) => faults.deliveries(JSON.parse(json)),
    publishing: ({ faults }, json) => faults.publishing(JSON.parse(json)),
    duplicates: ({ faults }, json) => faults.duplicates(JSON.parse(json)),
    assignRole: ({ control }, json) =>
      control.assignRole("Owner", JSON.parse(json), "/subscriptions/x"),
    allow: ({ control }, json) => control.allow("me", JSON.parse(json), "/subscriptions/x"),
  };
  const subscription = { name: "sub", scope: "/subscriptions/x", endpointUrl: "https://a.example" };

  it.each<[string, unknown, string, string]>([
    ["drain", 5, "ERR_OPTIONS", "it must be an object, not 5"],
    ["drain", { seconds: 5 }, "ERR_OPTIONS", "seconds is unknown; known fields: within"],
    ["drain", { within: 0 }, "ERR_DURATION", "A duration is an object"],
    ["rotate", { retire: 1 }, "ERR_OPTIONS", "retire must be true or false, not 1"],
    ["delivery", { claims: "exp" }, "ERR_OPTIONS", "clientId is missing"],
    ["createTopic", {}, "ERR_OPTIONS", "name is missing"],
    ["updateTopic", { location: "x" }, "ERR_OPTIONS", "location is unknown; known fields:"],
    ["getTopic", 5, "ERR_SERVICE_REFUSED", "A resource ID or scope must be a string, not 5."],
    ["newKey", "key3", "ERR_SERVICE_REFUSED", "It must be key1 or key2."],
    ["createApplication", { identifierUris: "api://x" }, "ERR_OPTIONS", "must be an array"],
    ["createTenant", {}, "ERR_OPTIONS", "tenantId is missing"],
    ["subscribe", { name: "sub" }, "ERR_OPTIONS", "scope is missing"],
    [
      "subscribe",
      { name: "sub", scope: "/subscriptions/22222222-2222-4222-8222-222222222222" },
      "ERR_SERVICE_REFUSED",
      "needs either an endpointUrl or a destination",
    ],
    [
      "subscribe",
      { ...subscription, filter: { advancedFilters: [5] } },
      "ERR_OPTIONS",
      "filter.advancedFilters[0] must be an object, not 5",
    ],
    [
      "subscribe",
      { ...subscription, deliveryAttributeMappings: [{ type: "Static", value: "a" }] },
      "ERR_OPTIONS",
      "deliveryAttributeMappings[0].name is missing",
    ],
    ["emit", { scope: "/x", data: "text" }, "ERR_OPTIONS", 'data must be an object, not "text"'],
    ["route", { target: "http://x", rewrite: null }, "ERR_INGRESS", "rewrite must be an object"],
    ["deliveries", { status: 500, time: 1 }, "ERR_FAULT", "time is unknown: did you mean times?"],
    ["publishing", {}, "ERR_FAULT", "status is missing"],
    ["duplicates", { times: true }, "ERR_FAULT", "times must be a number, 1 or more, not true"],
    ["assignRole", null, "ERR_OPTIONS", "principalId must be a string, not null"],
    ["allow", "Microsoft.EventGrid/*", "ERR_OPTIONS", "actions must be an array"],
  ])("%s(%j) throws", async (name, given, code, problem) => {
    const cloud = await startCloud({ control: true });
    const call = async () => called[name]?.(cloud, JSON.stringify(given));
    await expect(call()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(problem),
    });
  });
});

describe("an invalid duration", () => {
  const units = "milliseconds, seconds, minutes, hours, days";
  it.each([
    ["null", "A duration is an object, such as { minutes: 5 }, not null."],
    ["{}", `A duration needs one of ${units}, such as { minutes: 5 }.`],
    [
      '{"minute":5,"seconds":-1,"hours":"2"}',
      `A duration has ${units}, not 'minute'. The seconds of a duration must be a number, 0 or more, not -1. The hours of a duration must be a number, 0 or more, not '2'.`,
    ],
  ])("such as %s does not move the clock", async (json, message) => {
    const cloud = await startCloud({ clock: "stepped" });
    const before = cloud.clock.now();
    const advanced = cloud.clock.advance(JSON.parse(json));
    await expect(advanced).rejects.toMatchObject({ code: "ERR_DURATION", message });
    expect(cloud.clock.now()).toBe(before);
  });
});

it("a system event needs a scope", async () => {
  const cloud = await startCloud();
  await expect(
    cloud.emit("Microsoft.Cache.PatchingCompleted", JSON.parse("{}")),
  ).rejects.toMatchObject({
    code: "ERR_SYSTEM_EVENT",
    message:
      "Microsoft.Cache.PatchingCompleted needs a scope: the ID of a resource of the type Microsoft.Cache/Redis.",
  });
});

it("an error has the code that the documentation of its method names", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const persist = join(folder, "file", "state");
  await expect(startCloud({ persist })).rejects.toMatchObject({ code: "ERR_DIRECTORY" });
  await expect(requireRunningInstance(folder)).rejects.toMatchObject({ code: "ERR_NOT_RUNNING" });

  const cloud = await startCloud();
  expect(() => cloud.control).toThrow(expect.objectContaining({ code: "ERR_NO_CONTROL_PLANE" }));
  expect(() => cloud.storageConnectionString).toThrow(
    expect.objectContaining({ code: "ERR_NO_AZURITE" }),
  );
  const { control } = await startCloud({ control: true });
  expect(() => control.assignRole("No Such Role", "me", "/subscriptions/x")).toThrow(
    expect.objectContaining({ code: "ERR_UNKNOWN_ROLE" }),
  );
});
