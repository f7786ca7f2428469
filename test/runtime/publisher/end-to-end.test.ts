import {
  type CloudEvent,
  createPublisher,
  type Listener,
  type PublisherOptions,
} from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { draws } from "../../support/draws.js";
import { startLocalListener } from "../listener/local-listener.js";

let cloud: LocalCloud;
let listener: Listener;
let topic: ReturnType<LocalCloud["topics"]["create"]>;
const handled: CloudEvent[] = [];

beforeAll(async () => {
  cloud = await LocalCloud.start();
  topic = cloud.topics.create({ name: "orders" });
  const on = { "shop.order.placed": (event: CloudEvent) => void handled.push(event) };
  const local = await startLocalListener(cloud, { on });
  listener = local.listener;
  await cloud.eventSubscriptions.create({
    name: "orders",
    scope: topic.id,
    ...local.subscription,
  });
});
afterAll(async () => {
  await listener.close();
  await cloud.close();
});
beforeEach(() => {
  handled.length = 0;
});

const binding = () => ({ topicEndpoint: topic.endpoint, accessKey: topic.accessKey, name: "shop" });
/** Without half a surrogate pair. Unlike fast-check's own unit, it builds no table of all characters. */
const character = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const publisher = (options: PublisherOptions = {}) => createPublisher(binding(), options);

describe("an event from create", () => {
  it("arrives at the handler with its attributes and extensions", async () => {
    const event = {
      specversion: "1.0",
      id: "a-1",
      source: "/shop/counter?desk=1",
      type: "shop.order.placed",
      subject: "orders/17 – größte",
      time: "2026-01-02T12:00:00.123456Z",
      datacontenttype: "application/vnd.shop+json; charset=utf-8",
      dataschema: "https://shop.example/schema#v1",
      tenant: "north",
      priority: 3,
      urgent: false,
      data: { orderId: "17" },
    } as const;
    await publisher().create(event);
    await cloud.drain();
    expect(handled).toEqual([event]);
  });

  it("arrives at the handler with any payload", async () => {
    const reused = publisher();
    const payload = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
      fc.string({ unit: character }),
      fc.uint8Array({ maxLength: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(payload, { minLength: 1, maxLength: 5 }), async (payloads) => {
        handled.length = 0;
        const ids = await reused.create(
          payloads.map((data) => ({ type: "shop.order.placed", data })),
        );
        await cloud.drain();

        const byId = new Map(handled.map((event) => [event.id, event.data]));
        expect(byId.size).toBe(payloads.length);
        expect(ids.map((id) => bytesOf(byId.get(id)))).toEqual(payloads.map(bytesOf));
      }),
      { numRuns: draws(20) },
    );
  });
});

/** Converts bytes to a form that differs from a text of the same bytes. */
function bytesOf(data: unknown): string {
  return data instanceof Uint8Array
    ? `bytes ${Buffer.from(data).toString("hex")}`
    : `json ${JSON.stringify(data)}`;
}
