import { expect, it, onTestFinished } from "vitest";
import { IssuerKeys } from "../../../../runtime/src/listener/authentication/signing-keys.js";
import { monotonicClock } from "../../../../runtime/src/time.js";
import { gate } from "../../../support/gate.js";
import { TENANT, TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { pinoTo } from "../../../support/pino.js";

/** The keys of an issuer, the delays after which they are fetched again, and a clock to set. */
async function keysOf() {
  const issuer = await TestIssuer.start();
  const time = { now: 0 };
  const delays: number[] = [];
  const keys = new IssuerKeys({
    version: "v1",
    metadataUrl: `${issuer.authorityHost}/${TENANT}/.well-known/openid-configuration`,
    tenantId: TENANT,
    knownIssuer: undefined,
    isUsable: () => true,
    timeoutMs: 60_000,
    fetch,
    clock: {
      now: () => time.now,
      schedule: (milliseconds) => {
        delays.push(milliseconds);
        return () => {};
      },
    },
    timer: monotonicClock,
    log: pinoTo(new LogLines()),
    onKeys: () => {},
    onRefresh: () => {},
  });
  onTestFinished(async () => {
    keys.stop();
    await issuer.stop();
  });
  return { issuer, keys, time, delays };
}

it("keys are fetched again soon after a failure, and after ten minutes once that succeeds", async () => {
  const { issuer, keys, delays } = await keysOf();
  issuer.reachable = false;
  await keys.refresh();
  issuer.reachable = true;
  await keys.refresh();
  const [soon = 0, later] = delays;
  expect(soon).toBeGreaterThanOrEqual(500);
  expect(soon).toBeLessThanOrEqual(1_000);
  expect(later).toBe(600_000);
});

it("a hundred callers wait for a key at a time, also after others have waited", async () => {
  const { issuer, keys, time } = await keysOf();
  await keys.fetchKey("x");
  time.now += 31_000;
  const answers = gate();
  issuer.gate = answers.passed;
  const callers = Array.from({ length: 100 }, () => keys.fetchKey(issuer.key.kid));
  expect(await keys.fetchKey(issuer.key.kid)).toBe("unavailable");
  answers.open();
  expect(new Set(await Promise.all(callers)).has("unavailable")).toBe(false);
});

it("keys are trusted for a day while the issuer is unreachable", async () => {
  const { issuer, keys, time } = await keysOf();
  await keys.refresh();
  const day = 24 * 60 * 60_000;
  time.now = day - 1;
  expect(keys.key(issuer.key.kid)).toBeDefined();
  time.now = day;
  expect([keys.isLoaded, keys.key(issuer.key.kid)]).toEqual([false, undefined]);
});
