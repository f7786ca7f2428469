import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../runtime/src/time.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, startService } from "../service.js";

const OTHER = "99999999-9999-9999-9999-999999999999";

describe("the reasons for denials", () => {
  it("are those that docs/observability.md lists, each with its status and one log line", async () => {
    const time = { offset: 0 };
    const service = await startService({
      clock: { ...systemClock, now: () => Date.now() + time.offset },
    });
    const { log } = service;
    const { issuer, port, deliver, handled } = service;
    const token = (...given: Parameters<typeof issuer.token>) => issuer.token(...given);
    const seconds = Math.floor(Date.now() / 1000);
    const foreign = await issuer.foreignKey();
    const good = await token();
    const twice = `POST /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${good}\r\nAuthorization: Bearer ${good}\r\n\r\n`;
    await exchange(port, [twice]);
    await deliver(anEvent(), { token: null });
    await deliver(anEvent(), { token: null, headers: { authorization: `Basic ${good}` } });
    for (const bad of [
      await token({ pad: "x".repeat(8_000) }),
      "a.b.c",
      await token({ iss: "https://sts.example/" }),
      await token({ aud: OTHER }),
      await token({ tid: OTHER }),
      await token({ exp: seconds - 1200 }),
      await token({ nbf: seconds + 1200 }),
      await token({}, { key: foreign }),
      await token({}, { header: { kid: "unknown" } }),
      await token({ appid: OTHER }),
      await token({ roles: [] }),
      good.replace(/^[^.]+/, Buffer.from('{"alg":"RS512","kid":"x"}').toString("base64url")),
    ]) {
      await deliver(anEvent(), { token: bad });
    }
    time.offset = 31_000;
    await deliver(anEvent(), { token: await token({}, { header: { kid: "unknown" } }) });

    const lines = log.lines.filter(({ reason }) => typeof reason === "string");
    const statuses = Object.fromEntries(lines.map(({ reason, status }) => [reason, status]));
    expect(lines).toHaveLength(16);
    expect(log.withMessage("request denied: Event Grid lacks its role")).toMatchObject([
      { level: 50, reason: "role" },
    ]);
    expect(statuses).toEqual({
      "no-token": 401,
      "repeated-header": 401,
      scheme: 401,
      "too-long": 401,
      malformed: 401,
      algorithm: 401,
      issuer: 401,
      audience: 401,
      tenant: 401,
      expired: 401,
      "not-yet-valid": 401,
      "unknown-key": 503,
      signature: 401,
      caller: 403,
      role: 503,
      "keys-unavailable": 503,
    });
    expect(Object.keys(statuses).toSorted()).toEqual(documentedReasons().toSorted());
    expect(handled).toEqual([]);
  });
});

function documentedReasons(): string[] {
  const page = readFileSync(new URL("../../../../docs/observability.md", import.meta.url), "utf8");
  const [, list = ""] = /Reasons are ([^.]+)\./.exec(page) ?? [];
  return [...list.matchAll(/`([a-z-]+)`/g)].map(([, reason = ""]) => reason);
}
