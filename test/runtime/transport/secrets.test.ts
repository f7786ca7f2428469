import { AzureKeyCredential, AzureSASCredential } from "@azure/eventgrid";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { ACCEPTED, refused } from "../../support/topic-server.js";
import { keyless, publisherWith, startTopic } from "../publisher/harness.js";
import { rejection } from "../publisher/rejection.js";

const topic = await startTopic();
const order = { type: "shop.order.placed", id: "a", data: 1 };

/** The topic accepts one value of a header only. */
function accepts(header: string, value: string) {
  topic.answer = ({ headers }) =>
    headers[header] === value ? ACCEPTED : refused(401, "Unauthorized", "unknown");
}

const sent = (header: string) => topic.requests.map(({ headers }) => headers[header]);

describe("an access key of the options", () => {
  it("takes precedence over the binding's", async () => {
    await createPublisher(topic.binding, { accessKey: "key-2" }).create(order);
    expect(sent("aeg-sas-key")).toEqual(["key-2"]);
  });

  it("may come from a function, which is called once", async () => {
    let asked = 0;
    const publisher = createPublisher(keyless(topic), {
      accessKey: async () => {
        asked += 1;
        return "key-1";
      },
    });
    await Promise.all([publisher.create(order), publisher.create(order)]);
    await publisher.create(order);

    expect(asked).toBe(1);
    expect(sent("aeg-sas-key")).toEqual(["key-1", "key-1"]);
  });

  it("may come from a function, which is not called before the first event", async () => {
    let asked = 0;
    const publisher = createPublisher(keyless(topic), { accessKey: () => `key-${++asked}` });
    await new Promise(setImmediate);
    expect(asked).toBe(0);
    await publisher.create(order);
    expect(asked).toBe(1);
  });

  it("is requested again from its function when the topic refuses it, and the events are sent again", async () => {
    const keys = ["old", "new"];
    accepts("aeg-sas-key", "new");
    const publisher = createPublisher(keyless(topic), { accessKey: () => keys.shift() ?? "none" });

    expect(await publisher.create(order)).toEqual(["a"]);
    expect(sent("aeg-sas-key")).toEqual(["old", "new"]);
    await publisher.create(order);
    expect(sent("aeg-sas-key")).toEqual(["old", "new", "new"]);
  });

  it("is requested again only once per attempt", async () => {
    let asked = 0;
    accepts("aeg-sas-key", "never");
    const publisher = createPublisher(keyless(topic), { accessKey: () => `key-${++asked}` });

    expect(await rejection(publisher.create(order))).toMatchObject({
      status: 401,
      code: "ERR_PUBLISH_UNAUTHORIZED",
      retryable: false,
    });
    expect(sent("aeg-sas-key")).toEqual(["key-1", "key-2"]);
  });

  it("is not sent again when its function returns the same key", async () => {
    accepts("aeg-sas-key", "never");
    const publisher = createPublisher(keyless(topic), { accessKey: () => "same" });

    expect(await rejection(publisher.create(order))).toMatchObject({ status: 401 });
    expect(topic.requests).toHaveLength(1);
  });

  it("is requested again once for all requests that were refused", async () => {
    let asked = 0;
    accepts("aeg-sas-key", "key-2");
    const publisher = createPublisher(keyless(topic), {
      accessKey: () => `key-${++asked}`,
      limits: { requestEvents: 1 },
    });
    const ids = await publisher.create(["a", "b", "c"].map((id) => ({ ...order, id })));

    expect(ids).toEqual(["a", "b", "c"]);
    expect(asked).toBe(2);
  });

  it.each<[string, () => string | Promise<string>, string]>([
    [
      "throws",
      () => Promise.reject(new Error("secret\n")),
      "the accessKey function failed; see the cause (after 2 attempts)",
    ],
    [
      "throws a TypeError",
      () => Promise.reject(new TypeError("secret\n")),
      "the accessKey function failed with TypeError; see the cause (after 2 attempts)",
    ],
    [
      "throws an error with a code",
      () => Promise.reject(Object.assign(new Error("secret\n"), { code: "ECONNREFUSED" })),
      "the accessKey function failed with ECONNREFUSED; see the cause (after 2 attempts)",
    ],
    [
      "throws an error whose code is text",
      () => Promise.reject(Object.assign(new Error("no"), { code: "secret\n", name: "secret\n" })),
      "the accessKey function failed; see the cause (after 2 attempts)",
    ],
    ["returns an empty string", () => "", "the accessKey function returned no secret"],
    ["returns a line end", () => "secret\n", "the accessKey function returned no secret"],
  ])(
    "is retried when its function %s, and the failure is reported without the secret",
    async (_name, accessKey, message) => {
      const clock = new ManualClock();
      const publisher = publisherWith({ random: () => 0 }, keyless(topic), {
        accessKey,
        clock,
        retry: { attempts: 2 },
      });
      const failed = rejection(publisher.create(order));
      await clock.pass(125);
      const error = await failed;

      expect(error).toMatchObject({ code: "ERR_PUBLISH_CREDENTIAL", retryable: true });
      expect(error.message).toContain(message);
      expect(error.message).not.toContain("secret\n");
      expect(topic.requests).toEqual([]);
    },
  );
});

describe("an AzureKeyCredential", () => {
  it("may be updated at any time", async () => {
    const credential = new AzureKeyCredential("key-1");
    const publisher = createPublisher(topic.binding, { credential });
    await publisher.create(order);
    credential.update("key-2");
    await publisher.create(order);
    expect(sent("aeg-sas-key")).toEqual(["key-1", "key-2"]);
  });

  it("has events sent again that were refused with the key from before its update", async () => {
    const credential = new AzureKeyCredential("key-1");
    topic.answer = ({ headers }) => {
      if (headers["aeg-sas-key"] === "key-2") return ACCEPTED;
      credential.update("key-2");
      return refused(401, "Unauthorized", "unknown");
    };
    await createPublisher(keyless(topic), { credential }).create(order);
    expect(sent("aeg-sas-key")).toEqual(["key-1", "key-2"]);
  });
});

it.each([new AzureKeyCredential("secret\n"), new AzureSASCredential("secret\n")])(
  "a credential of the Azure SDK with a line end, such as that of a file, is not sent: %#",
  async (credential) => {
    const publisher = createPublisher(keyless(topic), { credential, retry: { attempts: 1 } });
    expect(await rejection(publisher.create(order))).toMatchObject({
      code: "ERR_PUBLISH_CREDENTIAL",
      message: expect.stringMatching(/^the credential returned no secret/),
    });
    expect(topic.requests).toEqual([]);
  },
);

describe("a shared access signature", () => {
  it("is sent unchanged", async () => {
    await createPublisher(keyless(topic), { sasToken: "r=a&e=b&s=c" }).create(order);
    expect(sent("aeg-sas-token")).toEqual(["r=a&e=b&s=c"]);
    expect(sent("aeg-sas-key")).toEqual([undefined]);
  });

  it("is a header with a scheme for the topic of a namespace", async () => {
    const namespaceEndpoint = new URL(topic.endpoint).origin;
    const binding = { namespaceEndpoint, topicName: "orders", publishWith: "accessKey" } as const;
    const options = { sasToken: "r=a&e=b&s=c", source: "/shop" };
    await createPublisher(binding, options).create(order);
    expect(sent("authorization")).toEqual(["SharedAccessSignature r=a&e=b&s=c"]);
  });

  it("is requested again from its function when it has expired", async () => {
    const tokens = ["r=a&e=1&s=c", "r=a&e=2&s=d"];
    accepts("aeg-sas-token", "r=a&e=2&s=d");
    await createPublisher(keyless(topic), { sasToken: () => tokens.shift() ?? "" }).create(order);
    expect(sent("aeg-sas-token")).toEqual(["r=a&e=1&s=c", "r=a&e=2&s=d"]);
  });

  it("may be an AzureSASCredential", async () => {
    const credential = new AzureSASCredential("r=a&e=b&s=c");
    const publisher = createPublisher(keyless(topic), { credential });
    await publisher.create(order);
    credential.update("r=a&e=c&s=d");
    await publisher.create(order);
    expect(sent("aeg-sas-token")).toEqual(["r=a&e=b&s=c", "r=a&e=c&s=d"]);
  });
});

let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

const TIME = 20_000;
const orderOf = (id: string) => ({ type: "shop.order.placed", id, data: 1 });
const never = new Promise<never>(() => {});

describe("a key function that hangs", () => {
  it("fails all requests that wait for it", async () => {
    const publisher = publisherWith({}, keyless(topic), {
      accessKey: () => never,
      clock,
      retry: { attempts: 1 },
      limits: { requestEvents: 1 },
    });
    const failed = ["a", "b", "c", "d"].map((id) => rejection(publisher.create(orderOf(id))));
    await clock.pass(TIME);

    for (const error of await Promise.all(failed)) {
      expect(error).toMatchObject({
        code: "ERR_PUBLISH_CREDENTIAL",
        retryable: true,
        message: "the accessKey function did not return within 20000 ms",
        events: [{ mayHaveArrived: false }],
      });
    }
  });

  it("is called again by the next attempt of the same call", async () => {
    let asked = 0;
    const publisher = publisherWith({ random: () => 0 }, keyless(topic), {
      accessKey: () => (++asked === 1 ? never : "key-2"),
      clock,
    });
    const created = publisher.create(orderOf("a"));
    await clock.pass(TIME);
    await clock.pass(125);

    expect(await created).toEqual(["a"]);
    expect(topic.requests.map(({ headers }) => headers["aeg-sas-key"])).toEqual(["key-2"]);
  });

  it("is called once per attempt timeout, even if calls have less time than an attempt", async () => {
    let asked = 0;
    const publisher = publisherWith({}, keyless(topic), {
      accessKey: () => (++asked === 1 ? never : "key-2"),
      clock,
    });
    const errors = [];
    for (let call = 0; call < 4; call += 1) {
      const failed = rejection(publisher.create(orderOf("a"), { timeoutMs: 5_000 }));
      await clock.whenScheduled(TIME);
      clock.advance(5_000);
      errors.push(await failed);
    }

    expect(errors.map(({ code }) => code)).toEqual(Array(4).fill("ERR_PUBLISH_TIMEOUT"));
    expect(errors.flatMap(({ events }) => events.map((event) => event.mayHaveArrived))).toEqual(
      Array(4).fill(false),
    );
    expect(asked).toBe(1);
    expect(await publisher.create(orderOf("b"), { timeoutMs: 5_000 })).toEqual(["b"]);
    expect(asked).toBe(2);
  });

  it("does not replace a newer key when it finally returns", async () => {
    const first = gate();
    const answers = [first.passed.then(() => "key-1"), "key-2"];
    const publisher = publisherWith({}, keyless(topic), {
      accessKey: () => answers.shift() ?? "key-3",
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(orderOf("a")));
    await clock.pass(TIME);
    await failed;
    await publisher.create(orderOf("b"));
    first.open();
    await new Promise(setImmediate);
    await publisher.create(orderOf("c"));

    expect(topic.requests.map(({ headers }) => headers["aeg-sas-key"])).toEqual(["key-2", "key-2"]);
  });

  it("leaves no doubt about an event that was refused before", async () => {
    topic.answer = () => refused(401, "Unauthorized", "unknown");
    let asked = 0;
    const publisher = publisherWith({}, keyless(topic), {
      accessKey: () => (++asked === 1 ? "key-1" : never),
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(orderOf("a")));
    while (asked < 2) await new Promise(setImmediate);
    clock.advance(TIME);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_CREDENTIAL",
      events: [{ mayHaveArrived: false }],
    });
  });
});

describe("a credential that the topic repeats in its error", () => {
  const KEY = "c2VjcmV0LWtleS1vZi10aGUtdG9waWM=";
  const SIGNATURE = "r=https%3a%2f%2ft&e=2030&s=c2VjcmV0LXNpZ25hdHVyZQ%3d%3d";

  it.each([
    ["an access key", { accessKey: KEY }, KEY],
    ["a shared access signature", { sasToken: SIGNATURE }, SIGNATURE],
    ["an encoded key", { accessKey: KEY }, encodeURIComponent(KEY)],
  ])("is left out of every part of the error: %s", async (_, options, repeated) => {
    topic.answer = () => ({
      status: 400,
      body: JSON.stringify({
        error: {
          code: "BadRequest",
          message: `aeg-sas-key: ${repeated} of POST /api/events`,
          details: [{ code: repeated, message: `sent ${repeated}` }],
        },
      }),
    });
    const error = await rejection(createPublisher(keyless(topic), options).create(order));
    expect(error.message).toContain("aeg-sas-key: *** of POST /api/events");
    expect(error).toMatchObject({ details: [{ code: "***", message: "sent ***" }] });
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(repeated);
  });
});
