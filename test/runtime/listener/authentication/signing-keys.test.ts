import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../runtime/src/time.js";
import { gate } from "../../../support/gate.js";
import { TENANT, TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { pinoTo } from "../../../support/pino.js";
import { anEvent, type Service, startService } from "../service.js";

async function deliver(service: Service, token?: string): Promise<number> {
  return (await service.deliver(anEvent(), token === undefined ? {} : { token })).status;
}

/** A listener whose clock the test sets. */
async function startWithClock() {
  const time = { offset: 0 };
  const service = await startService({
    clock: { ...systemClock, now: () => Date.now() + time.offset },
  });
  return { service, issuer: service.issuer, time };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe("the signing keys", () => {
  it("are fetched at start from the metadata of both versions", async () => {
    const { issuer, listener } = await startService();
    expect(listener.isReady()).toBe(true);
    expect(issuer.requests.toSorted()).toEqual([
      `/${TENANT}/.well-known/openid-configuration`,
      `/${TENANT}/keys`,
      `/${TENANT}/keys`,
      `/${TENANT}/v2.0/.well-known/openid-configuration`,
    ]);
  });

  it("are not fetched again for tokens with known keys", async () => {
    const service = await startService();
    const before = service.issuer.requests.length;
    const forged = await service.issuer.token({}, { key: await service.issuer.foreignKey() });
    for (const token of [undefined, undefined, forged]) await deliver(service, token);
    expect(service.issuer.requests.length).toBe(before);
  });

  it("rotate without losing an event: 503 during the cooldown, then 200", async () => {
    const { service, issuer, time } = await startWithClock();
    await issuer.rotate();
    const token = await issuer.token();
    expect(await deliver(service, token)).toBe(503);
    time.offset = 31 * SECOND;
    expect(await deliver(service, token)).toBe(200);
  });

  it("invalidate cached tokens when they are withdrawn", async () => {
    const { service, issuer, time } = await startWithClock();
    const old = await issuer.token();
    // Twice, so that the second request takes the path without a cache look-up.
    for (const status of [200, 200]) expect(await deliver(service, old)).toBe(status);
    await issuer.rotate({ keepOld: false });
    time.offset = 31 * SECOND;
    expect(await deliver(service, await issuer.token())).toBe(200);
    expect(await deliver(service, old)).toBe(503);
    time.offset = 62 * SECOND;
    expect(await deliver(service, old)).toBe(503);
    expect(service.handled).toHaveLength(3);
  });

  it("get 503 if they are unknown for a token of Event Grid, and 401 for any other", async () => {
    const { service, issuer, time } = await startWithClock();
    const key = await issuer.foreignKey("unknown");
    const other = { appid: "99999999-9999-9999-9999-999999999999" };
    const before = issuer.requests.length;
    expect(await deliver(service, await issuer.token(other, { key }))).toBe(401);
    expect(issuer.requests.length).toBe(before);
    time.offset = 31 * SECOND;
    expect(await deliver(service, await issuer.token(other, { key }))).toBe(401);
    expect(await deliver(service, await issuer.token({}, { key }))).toBe(503);
    expect(await deliver(service, await issuer.token({ aud: "other" }, { key }))).toBe(401);
    expect(service.handled).toEqual([]);
  });

  it("are fetched once for a flood of unknown key IDs", async () => {
    const { service, issuer, time } = await startWithClock();
    const before = issuer.requests.length;
    time.offset = 31 * SECOND;
    const key = await issuer.foreignKey();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        issuer.token({}, { key, header: { kid: `random-${i}` } }),
      ),
    );
    const statuses = new Set(await Promise.all(tokens.map((token) => deliver(service, token))));
    expect([...statuses].every((status) => status === 401 || status === 503)).toBe(true);
    expect(issuer.requests.length - before).toBe(2);
    expect(await deliver(service)).toBe(200);
  });

  it("are fetched once for unknown key IDs while the issuer is unreachable, which get 503", async () => {
    const { service, issuer, time } = await startWithClock();
    await issuer.rotate();
    issuer.reachable = false;
    time.offset = 31 * SECOND;
    const before = issuer.requests.length;
    const token = await issuer.token();
    expect(await deliver(service, token)).toBe(503);
    expect(await deliver(service, token)).toBe(503);
    expect(issuer.requests.length - before).toBe(1);
    issuer.reachable = true;
    time.offset = 62 * SECOND;
    expect(await deliver(service, token)).toBe(200);
  });

  it.each(["/api/events", "/readyz"])(
    "are fetched again by a request of %s after they have expired, once for all anonymous callers",
    async (path) => {
      const time = { offset: 0 };
      // As after the process was frozen: no timer fetches keys.
      const clock = { now: () => Date.now() + time.offset, schedule: () => () => {} };
      const service = await startService({ clock });
      const { issuer } = service;
      const ask = () =>
        fetch(new URL(path, service.url), { method: path === "/readyz" ? "GET" : "OPTIONS" });
      time.offset = 25 * HOUR;
      issuer.requests.length = 0;
      await Promise.all(Array.from({ length: 50 }, ask));
      await expect.poll(async () => (await ask()).status).toBe(200);
      expect(issuer.requests).toHaveLength(4);

      issuer.reachable = false;
      time.offset = 50 * HOUR;
      issuer.requests.length = 0;
      for (let flood = 0; flood < 3; flood += 1) {
        const answers = await Promise.all(Array.from({ length: 50 }, ask));
        expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(503));
      }
      // One attempt for the metadata of each issuer, however many ask.
      expect(issuer.requests).toHaveLength(2);
      issuer.reachable = true;
      time.offset += 31 * SECOND;
      await expect.poll(async () => (await ask()).status).toBe(200);
    },
  );

  it("are not fetched any more after close()", async () => {
    const clock = new ManualClock(Date.now());
    const { listener } = await startService({ clock });
    await clock.whenScheduled(10 * MINUTE);
    await listener.close();
    await clock.whenIdle();
  });

  it.each([
    ["of another use", { use: "enc" }],
    ["for another algorithm", { alg: "RS512" }],
    ["of another kind", { kty: "EC" }],
    ["of another tenant", { issuer: "https://login.example/9188040d/v2.0" }],
    [
      "too short",
      { n: "sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbg", e: "AQAB" },
    ],
  ])("are ignored if they are %s", async (_, change) => {
    const issuer = await TestIssuer.start();
    const key = await issuer.foreignKey("extra");
    issuer.extraKeys = [{ ...key.jwk, ...change }];
    const { deliver: send } = await startService({
      issuer,
      clock: { ...systemClock, now: () => Date.now() },
    });
    const token = await issuer.token({}, { key });
    expect((await send(anEvent(), { token })).status).toBe(503);
    issuer.extraKeys = [key.jwk];
    const second = await startService({ issuer: issuer });
    expect((await second.deliver(anEvent(), { token })).status).toBe(200);
  });
});

describe("a delivery that waits for a signing key", () => {
  /** A listener whose next delivery has to wait for a key that the issuer withholds for now. */
  async function startWaiting() {
    const issuer = await TestIssuer.start();
    const time = { offset: 0 };
    const clock = { ...systemClock, now: () => Date.now() + time.offset };
    const service = await startService({ issuer, clock, limits: { concurrentRequests: 1 } });
    await issuer.rotate();
    const answers = gate();
    issuer.gate = answers.passed;
    time.offset = 31 * SECOND;
    const asked = issuer.requests.length;
    const isWaiting = () => expect.poll(() => issuer.requests.length).toBeGreaterThan(asked);
    return { ...service, answers, isWaiting };
  }

  it("gets 503 when a drain begins meanwhile", async () => {
    const { deliver: send, listener, answers, isWaiting, handled } = await startWaiting();
    const waiting = send(anEvent());
    await isWaiting();
    const closing = listener.close();
    answers.open();
    const answer = await waiting;
    expect([answer.status, answer.headers.get("connection")]).toEqual([503, "close"]);
    expect(handled).toEqual([]);
    await closing;
  });

  it("takes no capacity when its caller disconnects meanwhile", async () => {
    const { deliver: send, issuer, port, answers, isWaiting } = await startWaiting();
    const socket = connect(port, "127.0.0.1");
    const token = await issuer.token();
    socket.write(
      `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n`,
    );
    await isWaiting();
    socket.destroy();
    await once(socket, "close");
    // The listener notices the end of one connection before it answers on another.
    await fetch(`http://127.0.0.1:${port}/healthz`);
    answers.open();
    await expect.poll(async () => (await send(anEvent())).status).toBe(200);
  });
});

describe("a tenant that does not exist", () => {
  it.each([400, 404])("is named in the log when the authority answers %i", async (status) => {
    const log = new LogLines();
    await startService({
      logger: pinoTo(log),
      fetch: async () => new Response("{}", { status }),
    });
    const lines = log.withMessage("signing keys could not be fetched");
    const reason = expect.stringMatching(
      new RegExp(`has no tenant ${TENANT} .*${status}.*: check cloudTenantId`),
    );
    expect(lines).toMatchObject([{ reason }, { reason }]);
    expect(log.text).not.toContain("stack");
  });

  it("is not suspected when the authority answers 500", async () => {
    const log = new LogLines();
    const issuer = await TestIssuer.start();
    await startService({
      issuer,
      logger: pinoTo(log),
      fetch: async (url, init) =>
        `${url}`.includes("/v2.0/") ? new Response("{}", { status: 500 }) : fetch(url, init),
    });
    const [line] = log.withMessage("signing keys could not be fetched");
    expect(line?.reason).toMatch(/answered 500$/);
  });
});

describe("a fetch of signing keys", () => {
  it("delays, if it ignores its signal, neither the response nor the next fetch", async () => {
    const issuer = await TestIssuer.start();
    const time = { offset: 0 };
    let isHanging = false;
    const timer = new ManualClock();
    const service = await startService({
      issuer,
      timer,
      clock: { ...systemClock, now: () => Date.now() + time.offset },
      fetch: (input, init) => (isHanging ? new Promise(() => {}) : fetch(input, init)),
      keyTimeoutMs: 1_000,
    });
    await issuer.rotate();
    isHanging = true;
    time.offset = 31 * SECOND;
    const delivered = deliver(service);
    await timer.pass(1_000);
    expect(await delivered).toBe(503);
    isHanging = false;
    time.offset = 62 * SECOND;
    expect(await deliver(service)).toBe(200);
  });
});

describe("the start", () => {
  it("becomes ready with the keys of one version while those of the other cannot be fetched", async () => {
    const {
      issuer,
      listener,
      deliver: send,
      log,
    } = await startService({
      fetch: async (input, init) =>
        String(input).includes("/v2.0/") ? new Response("", { status: 500 }) : fetch(input, init),
    });
    expect(listener.isReady()).toBe(false);
    await expect.poll(() => listener.isReady()).toBe(true);
    expect(
      log.withMessage("ready without the signing keys of this version, whose tokens get 503"),
    ).toMatchObject([{ level: 40, version: "v2" }]);
    expect((await send(anEvent())).status).toBe(200);
    const v2 = await issuer.token({}, { version: "v2" });
    expect((await send(anEvent(), { token: v2 })).status).toBe(503);
  });

  it("becomes ready with an issuer that takes almost the timeout for each document", async () => {
    const timer = new ManualClock();
    // Both versions get their first document at the same time, and then their second one.
    let both = gate();
    let asked = 0;
    const { listener } = await startService({
      timer,
      keyTimeoutMs: 2_500,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        asked += 1;
        const { passed, open } = both;
        if (asked % 2 === 1) await passed;
        else {
          timer.advance(2_400);
          both = gate();
          open();
        }
        return response;
      },
    });
    expect(listener.isReady()).toBe(true);
  });
});
