import {
  createPublisher,
  type PublisherOptions,
  type SendingBinding,
} from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../support/manual-clock.js";
import { ACCEPTED, refused } from "../../support/topic-server.js";
import { keyless, startTopic } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();
const order = { type: "shop.order.placed", id: "a", data: 1 };

/** The topic knows one value of a header only. */
function accepts(header: string, value: string) {
  topic.answer = ({ headers }) =>
    headers[header] === value ? ACCEPTED : refused(401, "Unauthorized", "unknown");
}

const shown = (header: string) => topic.requests.map(({ headers }) => headers[header]);

describe("an access key", () => {
  it("may be given to the publisher instead of the binding", async () => {
    await createPublisher(keyless(topic), { accessKey: "key-2" }).create(order);
    expect(shown("aeg-sas-key")).toEqual(["key-2"]);
  });

  it("goes before the binding's", async () => {
    await createPublisher(topic.binding, { accessKey: "key-2" }).create(order);
    expect(shown("aeg-sas-key")).toEqual(["key-2"]);
  });

  it("of a function is asked for once", async () => {
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
    expect(shown("aeg-sas-key")).toEqual(["key-1", "key-1"]);
  });

  it("of a function is not asked for before there is an event", async () => {
    let asked = 0;
    const publisher = createPublisher(keyless(topic), { accessKey: () => `key-${++asked}` });
    await new Promise(setImmediate);
    expect(asked).toBe(0);
    await publisher.create(order);
    expect(asked).toBe(1);
  });

  it("is asked for anew when it is refused, and the request sent once more", async () => {
    const keys = ["old", "new"];
    accepts("aeg-sas-key", "new");
    const publisher = createPublisher(keyless(topic), { accessKey: () => keys.shift() ?? "none" });

    expect(await publisher.create(order)).toEqual(["a"]);
    expect(shown("aeg-sas-key")).toEqual(["old", "new"]);
    await publisher.create(order);
    expect(shown("aeg-sas-key")).toEqual(["old", "new", "new"]);
  });

  it("but once only", async () => {
    let asked = 0;
    accepts("aeg-sas-key", "never");
    const publisher = createPublisher(keyless(topic), { accessKey: () => `key-${++asked}` });

    expect(await rejection(publisher.create(order))).toMatchObject({
      status: 401,
      code: "ERR_PUBLISH_UNAUTHORIZED",
      retryable: false,
    });
    expect(shown("aeg-sas-key")).toEqual(["key-1", "key-2"]);
  });

  it("and not at all when the same comes back", async () => {
    accepts("aeg-sas-key", "never");
    const publisher = createPublisher(keyless(topic), { accessKey: () => "same" });

    expect(await rejection(publisher.create(order))).toMatchObject({ status: 401 });
    expect(topic.requests).toHaveLength(1);
  });

  it("is renewed once for all requests that were refused with the old one", async () => {
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
      "the accessKey function failed: the cause says why (after 2 attempts)",
    ],
    [
      "throws an error of a kind",
      () => Promise.reject(new TypeError("secret\n")),
      "the accessKey function failed, with TypeError: the cause says more (after 2 attempts)",
    ],
    [
      "throws an error with a code",
      () => Promise.reject(Object.assign(new Error("secret\n"), { code: "ECONNREFUSED" })),
      "the accessKey function failed, with ECONNREFUSED: the cause says more (after 2 attempts)",
    ],
    [
      "throws an error with a code in words",
      () => Promise.reject(Object.assign(new Error("no"), { code: "secret\n", name: "secret\n" })),
      "the accessKey function failed: the cause says why (after 2 attempts)",
    ],
    ["gives nothing", () => "", "the accessKey function gave no secret"],
    ["gives a line end", () => "secret\n", "the accessKey function gave no secret"],
  ])(
    "whose function %s is asked for again, and told in the end",
    async (_name, accessKey, message) => {
      const clock = new ManualClock();
      const publisher = createPublisher(keyless(topic), {
        accessKey,
        clock,
        random: () => 0,
        retry: { attempts: 2 },
      });
      const failed = rejection(publisher.create(order));
      await clock.whenScheduled(125);
      clock.advance(125);
      const error = await failed;

      expect(error).toMatchObject({ code: "ERR_PUBLISH_CREDENTIAL", retryable: true });
      expect(error.message).toContain(message);
      expect(error.message).not.toContain("secret\n");
      expect(topic.requests).toEqual([]);
    },
  );
});

describe("a shared access signature", () => {
  it("is sent as it is", async () => {
    await createPublisher(keyless(topic), { sasToken: "r=a&e=b&s=c" }).create(order);
    expect(shown("aeg-sas-token")).toEqual(["r=a&e=b&s=c"]);
    expect(shown("aeg-sas-key")).toEqual([undefined]);
  });

  it("of a function is asked for anew when it has expired", async () => {
    const tokens = ["r=a&e=1&s=c", "r=a&e=2&s=d"];
    accepts("aeg-sas-token", "r=a&e=2&s=d");
    await createPublisher(keyless(topic), { sasToken: () => tokens.shift() ?? "" }).create(order);
    expect(shown("aeg-sas-token")).toEqual(["r=a&e=1&s=c", "r=a&e=2&s=d"]);
  });
});

describe('publishWith: "entra"', () => {
  /** Gives numbered tokens, and tells which scopes were asked for. */
  function tokens() {
    const scopes: unknown[] = [];
    const credential = {
      async getToken(scope: string | string[]) {
        scopes.push(scope);
        return { token: `token-${scopes.length}`, expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    };
    return { scopes, credential };
  }

  it.each([
    ["public", "https://eventgrid.azure.net/.default"],
    ["usgovernment", "https://eventgrid.azure.us/.default"],
    ["china", "https://eventgrid.azure.cn/.default"],
  ] as const)("asks for a token of its cloud: %s", async (cloudEnvironment, scope) => {
    const { scopes, credential } = tokens();
    const publisher = createPublisher(
      { ...keyless(topic), publishWith: "entra", cloudEnvironment },
      { credential },
    );
    await publisher.create(order);
    await publisher.create(order);

    expect(scopes).toEqual([scope]);
    expect(shown("authorization")).toEqual(["Bearer token-1", "Bearer token-1"]);
  });

  it("asks for another one when it is refused", async () => {
    const { credential } = tokens();
    accepts("authorization", "Bearer token-2");
    await createPublisher({ ...keyless(topic), publishWith: "entra" }, { credential }).create(
      order,
    );

    expect(shown("authorization")).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("answers a challenge for more claims, with the same events", async () => {
    const claims = '{"access_token":{"nbf":{"essential":true}}}';
    const asked: unknown[] = [];
    const credential = {
      async getToken(_scope: string | string[], options?: { claims?: string }) {
        asked.push(options?.claims);
        return { token: `token-${asked.length}`, expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    };
    const challenge = `Bearer realm="", error="insufficient_claims", claims="${btoa(claims)}"`;
    topic.answer = ({ headers }) =>
      headers.authorization === "Bearer token-2"
        ? ACCEPTED
        : refused(401, "Unauthorized", "claims", { "www-authenticate": challenge });
    const publisher = createPublisher(
      { ...keyless(topic), publishWith: "entra" },
      { credential, retry: { attempts: 1 } },
    );
    await publisher.create(order);

    expect(asked).toEqual([undefined, claims]);
    expect(topic.requests.map(({ body }) => body)).toEqual([
      topic.requests[0]?.body,
      topic.requests[0]?.body,
    ]);
  });

  it.each([
    [
      "no token",
      async () => null,
      "the credential has no token for https://eventgrid.azure.net/.default",
    ],
    [
      "an error",
      () => Promise.reject(Object.assign(new Error("no"), { name: "CredentialUnavailableError" })),
      "no token for https://eventgrid.azure.net/.default could be had, with CredentialUnavailableError: the cause says more",
    ],
  ])("tells when the credential has %s", async (_name, getToken, message) => {
    const publisher = createPublisher(
      { ...keyless(topic), publishWith: "entra" },
      { credential: { getToken }, retry: { attempts: 1 } },
    );
    expect(await rejection(publisher.create(order))).toMatchObject({
      code: "ERR_PUBLISH_CREDENTIAL",
      message,
    });
  });
});

describe("a token", () => {
  const HOUR = 3_600_000;
  const MINUTE = 60_000;

  /** Gives tokens for an hour, after what it is told to do first. */
  function publisherWith(...first: (() => Promise<never>)[]) {
    // The SDK looks at the machine's clock.
    const clock = new ManualClock(Date.now());
    const state = { asked: 0 };
    const credential = {
      async getToken() {
        state.asked += 1;
        const token = { token: `token-${state.asked}`, expiresOnTimestamp: clock.now() + HOUR };
        return state.asked === 1 ? token : (first.shift()?.() ?? token);
      },
    };
    const publisher = createPublisher(
      { ...keyless(topic), publishWith: "entra" },
      { credential, clock, retry: { attempts: 1 } },
    );
    return { clock, state, publisher };
  }
  const down = () => Promise.reject(new Error("Entra is down"));
  const sent = () => shown("authorization").map((value) => String(value).replace("Bearer ", ""));

  it("is renewed two minutes before it expires, while requests go on with it", async () => {
    const { clock, state, publisher } = publisherWith();
    await publisher.create(order);
    clock.advance(HOUR - 2 * MINUTE - 1);
    await publisher.create(order);
    expect(state.asked).toBe(1);
    clock.advance(1);
    await publisher.create(order);
    await publisher.create(order);

    expect(sent()).toEqual(["token-1", "token-1", "token-1", "token-2"]);
  });

  it("that cannot be renewed is used as long as it lasts; others are asked for every 3 s", async () => {
    const { clock, state, publisher } = publisherWith(down, down, down);
    await publisher.create(order);
    clock.advance(HOUR - 2 * MINUTE);
    await publisher.create(order);
    await publisher.create(order);
    expect(state.asked).toBe(2);
    clock.advance(3_000);
    await publisher.create(order);
    expect(state.asked).toBe(3);
    clock.advance(2 * MINUTE);
    expect(await rejection(publisher.create(order))).toMatchObject({
      code: "ERR_PUBLISH_CREDENTIAL",
    });
    await publisher.create(order);

    expect(sent()).toEqual(["token-1", "token-1", "token-1", "token-1", "token-5"]);
  });

  it("whose renewal hangs is used as long as it lasts", async () => {
    const { clock, publisher } = publisherWith(() => new Promise(() => {}));
    await publisher.create(order);
    clock.advance(HOUR - 2 * MINUTE);
    await publisher.create(order);
    clock.advance(MINUTE);
    await publisher.create(order);

    expect(sent()).toEqual(["token-1", "token-1", "token-1"]);
  });
});

describe("a publisher is not made with credentials that cannot work", () => {
  const credential = { getToken: async () => null };
  const bare = keyless(topic);
  const entra: SendingBinding = { ...bare, publishWith: "entra" };
  it.each<[string, SendingBinding, PublisherOptions, string]>([
    ["none", bare, {}, "the topic's accessKey is missing: in the binding, or as an option"],
    ["two", bare, { accessKey: "a", sasToken: "b" }, "accessKey and sasToken are given: keep one"],
    ["a token without entra", bare, { credential }, 'does not say publishWith: "entra"'],
    ["entra without a token", entra, {}, "new DefaultAzureCredential()"],
    [
      "a key that is neither text nor a function",
      bare,
      JSON.parse('{"accessKey":null}'),
      "accessKey must be a string, or a function that gives one",
    ],
    [
      "a signature that is neither",
      bare,
      JSON.parse('{"sasToken":{}}'),
      "sasToken must be a string, or a function that gives one",
    ],
    [
      "a credential that gives no tokens",
      entra,
      JSON.parse('{"credential":{}}'),
      "credential must be a TokenCredential, which has a function getToken",
    ],
    [
      "a credential that is nothing",
      entra,
      JSON.parse('{"credential":null}'),
      "credential must be a TokenCredential, which has a function getToken",
    ],
    ["a line end in the key", bare, { accessKey: "secret\n" }, "accessKey is empty or has white"],
  ])("%s", (_name, binding, options, message) => {
    const make = () => createPublisher(binding, options);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: "ERR_PUBLISHER_CONFIGURATION" }));
    expect(make).not.toThrow("secret");
  });
});
