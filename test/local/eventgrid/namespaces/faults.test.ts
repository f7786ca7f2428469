import { describe, expect, it } from "vitest";
import { startNamespace } from "./start-namespace.js";

describe("faults of receivers", () => {
  it("answer with the status and Retry-After, and lock nothing", async () => {
    const { cloud, publish, queue, receive } = await startNamespace();
    await publish();
    cloud.faults.receiving({ status: 429, retryAfterSeconds: 7, times: 1 });
    const throttled = await receive();
    expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([429, "7"]);
    cloud.faults.receiving({ status: 429, times: 1 });
    expect((await receive()).headers.has("retry-after")).toBe(false);
    cloud.faults.receiving({ status: 503, times: 1 });
    expect(await receive()).toMatchObject({ status: 503, code: "Fault" });
    expect(queue.counts).toMatchObject({ waiting: 1, locked: 0 });
    expect((await receive()).value).toMatchObject([{ brokerProperties: { deliveryCount: 1 } }]);
  });

  it("lose the response, so that received events stay locked", async () => {
    const { cloud, publish, queue, receive } = await startNamespace();
    await publish();
    cloud.faults.receiving({ loseResponse: true, times: 1 });
    await expect(receive()).rejects.toThrow();
    expect(queue.counts).toMatchObject({ waiting: 0, locked: 1 });
    await cloud.clock.advance({ seconds: 60 });
    expect((await receive()).value).toMatchObject([{ brokerProperties: { deliveryCount: 2 } }]);
  });

  it("apply to one operation and one subscription only, if they are named", async () => {
    const { cloud, publish, queue, receive, settle } = await startNamespace();
    await publish();
    cloud.faults.receiving({ operation: "acknowledge", loseResponse: true, times: 1 });
    cloud.faults.receiving({ subscription: "another", status: 500 });
    const token = (await receive()).value[0]?.brokerProperties.lockToken;
    await expect(settle("acknowledge", token)).rejects.toThrow();
    expect(queue.counts).toMatchObject({ locked: 0, acknowledged: 1 });
    expect((await settle("acknowledge", token)).body).toMatchObject({
      failedLockTokens: [{ error: { code: "TokenLost" } }],
    });
  });

  it("end the connection, or fail the lock tokens, without settling anything", async () => {
    const { cloud, publish, queue, receive, settle } = await startNamespace();
    await publish();
    cloud.faults.receiving({ failTokens: true, times: 1 });
    const token = (await receive()).value[0]?.brokerProperties.lockToken;
    expect((await settle("release", token)).body).toEqual({
      succeededLockTokens: [],
      failedLockTokens: [
        { lockToken: token, error: { code: "InternalServerError", message: expect.any(String) } },
      ],
    });
    cloud.faults.receiving({ unreachable: true, times: 1 });
    await expect(settle("acknowledge", token)).rejects.toThrow();
    expect(queue.counts).toMatchObject({ locked: 1, released: 0, acknowledged: 0 });
    const { body } = await settle("acknowledge", token);
    expect(body).toMatchObject({ succeededLockTokens: [token] });
  });

  it.each([
    [{}, "needs status, unreachable, loseResponse or failTokens"],
    [{ status: 200 }, "from 400 to 599, not 200"],
    [{ failTokens: true, operation: "receive" }, "no effect on receive"],
    [{ loseResponse: true, retryAfterSeconds: 1 }, "needs a status"],
  ] as const)("are refused without an effect: %j", async (fault, message) => {
    const { cloud } = await startNamespace();
    expect(() => cloud.faults.receiving(fault)).toThrow(message);
  });
});
