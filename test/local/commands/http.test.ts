import type { LocalCloud } from "cloud-eventgrid-local";
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { cloudEvent, post, publishTo, startCloud, startShop } from "../support/cloud.js";
import { deadLettersTo } from "../support/dead-letters.js";
import { refusal } from "../support/management-client.js";

async function call(cloud: LocalCloud, command: string, body?: object) {
  const [method = "", path = ""] = command.split(" ");
  const response = await fetch(`${cloud.httpOrigin}/local/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

describe("the HTTP interface for other processes", () => {
  it("moves the clock, drains, lists deliveries and resets", async () => {
    const { cloud, webhook, publish } = await startShop({}, deadLettersTo("dead"));
    const answers = [500, 500, 400];
    webhook.answerDeliveries(() => answers.shift() ?? 200);
    await publish({ id: "a" });

    expect(await call(cloud, "POST advance", { seconds: 10 })).toEqual({ status: 204 });
    const event = cloudEvent({ id: "a" });
    const iso = expect.stringMatching(/^\d{4}-.*Z$/);
    expect((await call(cloud, "GET deliveries")).body).toEqual([
      {
        subscription: "orders-sub",
        subscriptionId: expect.stringMatching(/orders-sub$/),
        durationMs: expect.any(Number),
        events: [event],
        attempt: 1,
        at: iso,
        status: 500,
        outcome: "retrying",
        nextAttemptAt: iso,
      },
      expect.objectContaining({ attempt: 2 }),
    ]);

    expect(await call(cloud, "POST drain", {})).toMatchObject({ status: 204 });
    expect((await call(cloud, "GET dead-letters")).body).toMatchObject([
      { event, deadletterreason: "UndeliverableDueToHttpBadRequest" },
    ]);
    expect((await call(cloud, "GET handshakes")).body).toMatchObject([
      { subscription: "orders-sub", succeeded: true, at: iso },
    ]);
    await call(cloud, "POST reset");
    expect((await call(cloud, "GET deliveries")).body).toEqual([]);
  });

  it("lists what a topic, a domain and a namespace's topic accepted, as it was published", async () => {
    const cloud = await startCloud();
    const domain = cloud.domains.create({ name: "shops" });
    const namespace = cloud.namespaces.create({ name: "shop" });
    namespace.topics.create({ name: "orders" });
    const event = { ...cloudEvent({ source: "orders" }), data: { total: 1.0 } };
    await publishTo(cloud.topics.create({ name: "orders" }), event);
    await publishTo(domain, event);
    for (const name of ["orders", "shops", domain.id]) {
      expect(await call(cloud, `GET events?topic=${name}`)).toEqual({ status: 200, body: [event] });
    }
    expect((await call(cloud, "GET events?topic=shop/orders")).body).toEqual([]);
    expect(await call(cloud, "GET events?topic=payments")).toMatchObject(
      refusal(404, "ResourceNotFound"),
    );
  });

  it("refuses a replay that cannot begin with the status of an error", async () => {
    const { cloud } = await startShop();
    const replay = (text: string, options = {}) =>
      call(cloud, "POST replay", { files: [{ name: "events.json", text }], ...options });
    expect(await replay("no events")).toMatchObject({
      status: 400,
      body: { error: { code: "ERR_REPLAY", message: expect.stringContaining("events.json") } },
    });
    const text = JSON.stringify([cloudEvent()]);
    expect(await replay(text, { topic: "missing" })).toMatchObject({ status: 400 });
    expect(await replay(text, { subscription: "missing" })).toMatchObject({ status: 404 });
  });

  it("returns events exactly as published, with all digits and any nesting", async () => {
    const { cloud, webhook, topic } = await startShop({}, deadLettersTo("dead"));
    const digits = '{"order":12345678901234567890,"price":1.10}';
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const published = [digits, deep].map((data) => {
      const event = JSON.stringify(cloudEvent());
      return `${event.slice(0, -1)},"data":${data}}`;
    });
    webhook.answerDeliveries(() => 400);
    for (const body of published) {
      expect((await post(topic, body)).status).toBe(200);
    }
    await cloud.drain();
    for (const path of ["deliveries", "dead-letters"]) {
      const answer = await fetch(`${cloud.httpOrigin}/local/${path}`);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(published.map((event) => text.includes(event))).toEqual([true, true]);
    }
  });

  it("starts and ends faults", async () => {
    const { cloud, topic } = await startShop();
    for (const [command, body] of [
      ["POST faults/issuer"],
      ["POST faults/reordering"],
      ["POST faults/duplicates", { times: 1 }],
      ["POST faults/deliveries", { status: 500, delay: { seconds: 1 }, times: 1 }],
      ["POST faults/publishing", { status: 429, times: 1 }],
      ["POST faults/receiving", { status: 429, times: 1 }],
    ] as [string, object?][]) {
      expect(await call(cloud, command, body)).toEqual({ status: 204 });
    }
    expect((await publishTo(topic)).status).toBe(429);
    await publishTo(topic);
    await cloud.drain();
    expect(cloud.deliveries().map(({ status }) => status)).toEqual([200, 500, 200]);
    const keys = `${cloud.authorityHost}/${cloud.tenantId}/discovery/keys`;
    await expect(fetch(keys)).rejects.toThrow();
    expect(await call(cloud, "DELETE faults")).toEqual({ status: 204 });
    expect((await fetch(keys)).status).toBe(200);
  });

  it("rotates keys and issues tokens", async () => {
    const { cloud, application } = await startShop();
    const { clientId } = application;
    await call(cloud, "POST keys/rotate", { retire: true });
    const answer = await call(cloud, "POST token", { clientId, claims: { exp: 1 } });
    expect(decodeJwt(answer.body.token)).toMatchObject({ aud: clientId, exp: 1 });
  });
});

/** A value in so many lists. */
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** Characters of a text that fills, as the only field `x`, the largest body. */
const MAX_TEXT = 4 * 1024 * 1024 - '{"x":""}'.length;

describe("an invalid request to the HTTP interface", () => {
  it.each<[string, object | undefined, number, string]>([
    ["GET nothing", undefined, 404, "Nothing is served at /local/nothing."],
    ["POST advance", { seconds: "1" }, 400, "must be a number, 0 or more, not '1'"],
    ["POST emit", {}, 400, "type is missing\n  - scope is missing"],
    ["POST emit", { type: "x", scope: "/x" }, 400, "There is no sample of the system event 'x'."],
    ["POST faults/deliveries", {}, 400, "needs status, unreachable, loseResponse or delay"],
    ["POST token", { clientId: "nobody" }, 400, "has no application nobody"],
    ["POST reset", [], 400, "The body must be a JSON object."],
    ["POST reset", { x: nested(99) }, 400, "x is unknown"],
    ["POST reset", { x: nested(100) }, 400, "It is nested deeper than 100 levels."],
    ["POST reset", { x: "x".repeat(MAX_TEXT) }, 400, "x is unknown"],
    ["POST reset", { x: "x".repeat(MAX_TEXT + 1) }, 413, "maximum size of '4194304' bytes."],
  ])("%s %.40j is answered with %i", async (command, body, status, message) => {
    const answer = await call(await startCloud({ clock: "stepped" }), command, body);
    expect(answer).toMatchObject(refusal(status, undefined, expect.stringContaining(message)));
  });

  it("includes a request without the content type of JSON", async () => {
    const { httpOrigin } = await startCloud();
    const response = await fetch(`${httpOrigin}/local/reset`, { method: "POST", body: "{}" });
    expect(response.status).toBe(415);
  });
});
