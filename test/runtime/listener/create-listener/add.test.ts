import { createListener, ListenerStartError } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { createListenerWith } from "../../../../runtime/src/listener/create-listener.js";
import { systemDependencies } from "../../../../runtime/src/listener/dependencies.js";
import { TestIssuer } from "../../../support/issuer.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { anEvent, bindingFor, startService } from "../service.js";

const quiet = { logger: false, port: 0, host: "127.0.0.1", drainLagMs: 0 } as const;

describe("add()", () => {
  const on = { "*": () => {} };

  it("serves several bindings on one port, each with its own handlers and tokens, and drains all alike", async () => {
    const [one, other] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
    const reached: string[] = [];
    const handlers = (name: string) => ({ on: { "*": () => void reached.push(name) } });
    const options = { ...quiet, ...handlers("one") };
    // Its time stands still, so close() would not end if another binding had a lag of its own.
    const listener = createListenerWith(bindingFor(one), options, {
      ...systemDependencies,
      timer: new ManualClock(),
    });
    listener.add({ ...bindingFor(other), path: "/other" }, handlers("other"));
    const { url } = await listener.listen();
    expect(listener.isReady()).toBe(true);
    const statusOf = async (path: string, issuer: TestIssuer) => {
      const response = await fetch(new URL(path, url), {
        method: "POST",
        headers: {
          "content-type": "application/cloudevents+json",
          authorization: `Bearer ${await issuer.token()}`,
        },
        body: JSON.stringify(anEvent()),
      });
      return response.status;
    };
    expect(await statusOf("/api/events", one)).toBe(200);
    expect(await statusOf("/other", other)).toBe(200);
    expect(await statusOf("/other", one)).toBe(401);
    expect(reached).toEqual(["one", "other"]);
    await listener.close();
    await Promise.all([one.stop(), other.stop()]);
  });

  it.each([
    [{}, {}, "path", "own-path"],
    [{}, { path: "/healthz" }, "path", "own-path"],
    [{}, { path: "/other", handshakePort: "9001" }, "handshakePort", "same-port"],
  ])("rejects bindings that do not fit together: %j, %j", async (options, added, field, rule) => {
    const issuer = await TestIssuer.start();
    const { port: _, ...withoutPort } = quiet;
    const listener = createListener(bindingFor(issuer), { ...withoutPort, on, ...options });
    expect(() => listener.add({ ...bindingFor(issuer), ...added }, { on })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field, rule })] }),
    );
    await issuer.stop();
  });

  it("rejects an option of the server for a further binding, which it would ignore", async () => {
    const issuer = await TestIssuer.start();
    const listener = createListener(bindingFor(issuer), { ...quiet, on });
    const options: object = { signals: ["SIGTERM"] };
    expect(() =>
      listener.add({ ...bindingFor(issuer), path: "/other" }, { on, ...options }),
    ).toThrow("signals is unknown");
    await issuer.stop();
  });

  it("rejects a binding after listen()", async () => {
    const { listener, issuer } = await startService();
    expect(() => listener.add({ ...bindingFor(issuer), path: "/other" }, { on })).toThrow(
      ListenerStartError,
    );
  });
});
