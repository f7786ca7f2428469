import { once } from "node:events";
import { createServer } from "node:net";
import { createListener } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { TestIssuer } from "../../../support/issuer.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { anEvent, bindingFor, startService } from "../service.js";

describe("the defaults", () => {
  it("listen on the binding's port at every IPv4 address", async () => {
    const taken = createServer().listen(0, "0.0.0.0");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const issuer = await TestIssuer.start();
    const on = { "*": () => {} };
    const binding = { ...bindingFor(issuer), handshakePort: String(port) };
    await expect(createListener(binding, { on, logger: false }).listen()).rejects.toThrow(
      `cannot listen on 0.0.0.0:${port}: the port is in use`,
    );
    taken.close();
    await issuer.stop();
  });

  it("let a start wait for the signing keys for at most 5 s", async () => {
    const issuer = await TestIssuer.start();
    issuer.gate = new Promise(() => {});
    const signals: (AbortSignal | null | undefined)[] = [];
    const timer = new ManualClock();
    const starting = startService({
      issuer,
      timer,
      keyTimeoutMs: 24_000,
      fetch: (input, init) => {
        signals.push(init?.signal);
        return fetch(input, init);
      },
    });
    await timer.pass(5_000);
    expect((await starting).listener.isReady()).toBe(false);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  });

  it("let a standalone server accept deliveries for a while after readiness went off", async () => {
    const timer = new ManualClock();
    const { listener, deliver, url } = await startService({ timer, drainLagMs: undefined });
    const closing = listener.close();
    expect((await fetch(new URL("/readyz", url))).status).toBe(503);
    timer.advance(4_999);
    expect((await deliver(anEvent())).status).toBe(200);
    timer.advance(1);
    await closing;
  });
});
