import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../runtime/src/time.js";
import { CLIENT, EVENT_GRID, TENANT } from "../../../support/issuer.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, startService } from "../service.js";

const now = () => Math.floor(Date.now() / 1000);
const OTHER = "99999999-9999-9999-9999-999999999999";

async function statusOf(
  service: Awaited<ReturnType<typeof startService>>,
  ...token: Parameters<typeof service.issuer.token>
) {
  return (await service.deliver(anEvent(), { token: await service.issuer.token(...token) })).status;
}

describe("the authenticator", () => {
  it("accepts tokens of v1 and v2, each with its own issuer and caller claim", async () => {
    const service = await startService();
    expect(await statusOf(service, {}, { version: "v1" })).toBe(200);
    expect(await statusOf(service, {}, { version: "v2" })).toBe(200);
    expect(await statusOf(service, { appid: undefined, azp: EVENT_GRID })).toBe(403);
    expect(await statusOf(service, { azp: undefined, appid: EVENT_GRID }, { version: "v2" })).toBe(
      403,
    );
  });

  it("compares IDs without regard to case", async () => {
    const service = await startService();
    const claims = {
      aud: CLIENT.toUpperCase(),
      tid: TENANT.toUpperCase(),
      appid: EVENT_GRID.toUpperCase(),
    };
    expect(await statusOf(service, claims)).toBe(200);
  });

  it("passes the verified caller to the handler", async () => {
    const service = await startService();
    await service.deliver(anEvent());
    expect(service.handled[0]?.context.caller).toEqual({
      applicationId: EVENT_GRID,
      objectId: "33333333-3333-3333-3333-333333333333",
      tenantId: TENANT,
      roles: ["AzureEventGridSecureWebhookSubscriber"],
    });
  });

  it("does not verify a token twice", async () => {
    const { issuer, deliver, handled } = await startService();
    const [one, other] = [await issuer.token(), await issuer.token({ jti: "another" })];
    for (const token of [one, other, one, one]) await deliver(anEvent(), { token });
    // A cached token yields the same caller object.
    const [first, second, third, fourth] = handled.map(({ context }) => context.caller);
    expect(second).not.toBe(first);
    expect([third, fourth].every((caller) => caller === first)).toBe(true);
  });

  it("accepts configured App ID URIs and callers", async () => {
    const service = await startService({
      authentication: { audiences: ["api://orders"], callers: [OTHER] },
    });
    expect(await statusOf(service, { aud: "api://orders", appid: OTHER })).toBe(200);
    expect(await statusOf(service, { aud: CLIENT, appid: OTHER })).toBe(200);
    expect(await statusOf(service, { aud: "api://Orders", appid: OTHER })).toBe(401);
    expect(await statusOf(service, { appid: EVENT_GRID })).toBe(403);
  });

  it("accepts tokens without the role if configured, and logs the reason", async () => {
    const service = await startService({
      authentication: { acceptWithoutRole: { reason: "this tenant issues none" } },
    });
    const { log } = service;
    expect(await statusOf(service, { roles: undefined })).toBe(200);
    expect(log.withMessage("tokens without Event Grid's role are accepted")).toMatchObject([
      { level: 40, reason: "this tenant issues none" },
    ]);
  });

  it("accepts the scheme Bearer in any case, and no other scheme", async () => {
    const service = await startService();
    const token = await service.issuer.token();
    for (const [authorization, status] of [
      [`bearer ${token}`, 200],
      [`BEARER ${token}`, 200],
      [`Basic ${token}`, 401],
      [token, 401],
      ["Bearer", 401],
      [`Bearer  ${token}`, 401],
    ] as const) {
      const response = await service.deliver(anEvent(), {
        token: null,
        headers: { authorization },
      });
      expect([authorization.slice(0, 8), response.status]).toEqual([
        authorization.slice(0, 8),
        status,
      ]);
    }
  });
});

describe("the times of a token", () => {
  it("are checked with a tolerance of 60 s", async () => {
    const service = await startService();
    expect(await statusOf(service, { exp: now() - 50 })).toBe(200);
    expect(await statusOf(service, { exp: now() - 70 })).toBe(503);
    expect(await statusOf(service, { nbf: now() + 50 })).toBe(200);
    expect(await statusOf(service, { nbf: now() + 70 })).toBe(503);
  });

  it("cause 503 within 10 minutes outside the tolerance, because a clock may be wrong", async () => {
    const service = await startService();
    expect(await statusOf(service, { exp: now() - 650 })).toBe(503);
    expect(await statusOf(service, { exp: now() - 670 })).toBe(401);
    expect(await statusOf(service, { nbf: now() + 650 })).toBe(503);
    expect(await statusOf(service, { nbf: now() + 670 })).toBe(401);
    const foreign = { key: await service.issuer.foreignKey() };
    expect(await statusOf(service, { exp: now() - 70 }, foreign)).toBe(401);
  });

  it("are checked for cached tokens too", async () => {
    let offset = 0;
    const service = await startService({
      clock: { ...systemClock, now: () => Date.now() + offset },
    });
    const token = await service.issuer.token({ exp: now() + 100 });
    expect((await service.deliver(anEvent(), { token })).status).toBe(200);
    expect((await service.deliver(anEvent(), { token })).status).toBe(200);
    offset = 170_000;
    expect((await service.deliver(anEvent(), { token })).status).toBe(503);
  });
});

describe("the body of an anonymous request", () => {
  it.each([
    ["POST /api/events", 401, false],
    ["OPTIONS /api/events", 200, false],
    ["GET /healthz", 200, true],
  ])(
    "is not awaited, and closes the connection: %s, %i, a small one: %s",
    async (line, status, small) => {
      const { port } = await startService();
      const head = `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\n`;
      const chunked = await exchange(port, [`${head}Transfer-Encoding: chunked\r\n\r\n`]);
      expect([chunked.status, /^connection: close/im.test(chunked.head)]).toEqual([status, true]);
      const large = await exchange(port, [`${head}Content-Length: 1000000\r\n\r\n`]);
      expect([large.status, /^connection: close/im.test(large.head)]).toEqual([status, true]);
      const other = await exchange(port, [`${head}Content-Length: 1000\r\n\r\n`]);
      expect([other.status, /^connection: close/im.test(other.head)]).toEqual([status, small]);
    },
  );
});
