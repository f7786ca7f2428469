import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../support/manual-clock.js";
import { ACCEPTED, refused } from "../../support/topic-server.js";
import { keyless, startTopic, publisherWith as timedPublisher } from "../publisher/harness.js";
import { rejection } from "../publisher/rejection.js";

const topic = await startTopic();
const order = { type: "shop.order.placed", id: "a", data: 1 };
const authorizations = () => topic.requests.map(({ headers }) => headers.authorization);

describe('publishWith: "entra"', () => {
  /** Returns numbered tokens and records the requested scopes. */
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
  ] as const)("requests a token for the scope of the cloud %s", async (cloudEnvironment, scope) => {
    const { scopes, credential } = tokens();
    const publisher = createPublisher(
      { ...keyless(topic), publishWith: "entra", cloudEnvironment },
      { credential },
    );
    await publisher.create(order);
    await publisher.create(order);

    expect(scopes).toEqual([scope]);
    expect(authorizations()).toEqual(["Bearer token-1", "Bearer token-1"]);
  });

  it("requests another token when the topic refuses one", async () => {
    const { credential } = tokens();
    topic.answer = ({ headers }) =>
      headers.authorization === "Bearer token-2" ? ACCEPTED : refused(401, "Unauthorized", "no");
    await createPublisher({ ...keyless(topic), publishWith: "entra" }, { credential }).create(
      order,
    );

    expect(authorizations()).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it.each([
    [
      "no token",
      async () => null,
      "the credential has no token for https://eventgrid.azure.net/.default",
    ],
    [
      "a token with a line end",
      async () => ({ token: "secret\n", expiresOnTimestamp: Date.now() + 3_600_000 }),
      "the credential returned no secret: empty, not a string, or with white space in it",
    ],
    [
      "an error",
      () => Promise.reject(Object.assign(new Error("no"), { name: "CredentialUnavailableError" })),
      "getToken for https://eventgrid.azure.net/.default failed with CredentialUnavailableError; see the cause",
    ],
  ])("reports that the credential has %s", async (_name, getToken, message) => {
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

describe("an Entra token", () => {
  const HOUR = 3_600_000;
  const MINUTE = 60_000;

  /** The credential returns a token for an hour, then these results, then tokens again. */
  function publisherWith(...first: (() => Promise<never>)[]) {
    const clock = new ManualClock();
    const state = { asked: 0, refreshAfterMs: HOUR };
    const credential = {
      async getToken() {
        state.asked += 1;
        const now = clock.now();
        const token = {
          token: `token-${state.asked}`,
          expiresOnTimestamp: now + HOUR,
          refreshAfterTimestamp: now + state.refreshAfterMs,
        };
        return state.asked === 1 ? token : (first.shift()?.() ?? token);
      },
    };
    const publisher = timedPublisher(
      {},
      { ...keyless(topic), publishWith: "entra" },
      { credential, clock, retry: { attempts: 1 } },
    );
    return { clock, state, publisher };
  }
  const down = () => Promise.reject(new Error("Entra is down"));
  const sent = () => authorizations().map((value) => String(value).replace("Bearer ", ""));

  it("is refreshed two minutes before it expires, while requests still use it", async () => {
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

  it("is refreshed earlier if it says so", async () => {
    const { clock, state, publisher } = publisherWith();
    state.refreshAfterMs = MINUTE;
    await publisher.create(order);
    clock.advance(MINUTE - 1);
    await publisher.create(order);
    expect(state.asked).toBe(1);
    clock.advance(1);
    await publisher.create(order);
    expect(state.asked).toBe(2);
  });

  it("is used until it expires when the refresh fails, which is retried every 3 s", async () => {
    const { clock, state, publisher } = publisherWith(down, down, down, down);
    await publisher.create(order);
    clock.advance(HOUR - 2 * MINUTE);
    await publisher.create(order);
    await publisher.create(order);
    clock.advance(2_999);
    await publisher.create(order);
    expect(state.asked).toBe(2);
    clock.advance(1);
    await publisher.create(order);
    expect(state.asked).toBe(3);
    // Clocks differ: a token is not used in its last 5 s.
    clock.advance(2 * MINUTE - 3_000 - 5_001);
    await publisher.create(order);
    clock.advance(1);
    expect(await rejection(publisher.create(order))).toMatchObject({
      code: "ERR_PUBLISH_CREDENTIAL",
    });
    await publisher.create(order);

    expect(sent()).toEqual([...Array(6).fill("token-1"), "token-6"]);
  });

  it("is used until it expires when the refresh hangs", async () => {
    const { clock, publisher } = publisherWith(() => new Promise(() => {}));
    await publisher.create(order);
    clock.advance(HOUR - 2 * MINUTE);
    await publisher.create(order);
    clock.advance(MINUTE);
    await publisher.create(order);

    expect(sent()).toEqual(["token-1", "token-1", "token-1"]);
  });
});
