import { expect, it } from "vitest";
import { FailureRun } from "./failure-run.js";
import { findingsOf } from "./findings.js";

/** `FAILURE_RUN_EVENTS=10000` for the run whose figures are in the documentation. */
const EVENTS = Number(process.env.FAILURE_RUN_EVENTS ?? 1_000);

it("handles every event while receivers, keys, requests and the namespace fail", async () => {
  await using run = new FailureRun(3);
  await run.start();
  const { services, recorder } = run;
  let turn = 0;
  const next = () => {
    turn += 1;
    return services[turn % services.length] as (typeof services)[number];
  };
  const kill = async () => {
    const service = next();
    await run.publish();
    await service.end("SIGKILL");
    await run.publish();
    await service.start();
  };
  const drain = async () => {
    const service = next();
    const ended = service.end("SIGTERM");
    await run.publish();
    expect(await ended).toBe(0);
    await service.start();
  };
  const restart = async () => {
    await run.publish();
    const restarted = run.restart();
    await run.publish();
    await restarted;
  };
  const fail = (times: number, fault: object) => () => run.fail(times, fault);
  const once = [
    kill,
    fail(2, { operation: "receive", loseResponse: true }),
    fail(2, { operation: "acknowledge", loseResponse: true }),
    fail(2, { operation: "acknowledge", failTokens: true }),
    () => run.freeze(next()), // long enough for the locks of the faults above, too
    () => run.rotateKey(),
    fail(3, { status: 429, retryAfterSeconds: 1 }),
    fail(3, { status: 429 }),
    fail(3, { operation: "acknowledge", status: 503 }),
    fail(3, { unreachable: true }),
    drain,
    restart,
  ];
  const faults = EVENTS >= 10_000 ? [...once, ...once, ...once] : once;
  const requestsPerFault = Math.floor(EVENTS / 50 / (faults.length + 1));
  while (run.published < EVENTS) {
    for (let request = 0; request < requestsPerFault; request += 1) await run.publish();
    await faults.shift()?.();
  }
  for (const fault of faults) await fault();
  const queue = await run.settled();

  const { lost, repeats, unexplained } = findingsOf(run);
  console.log(`${run.published} events, ${run.handled().length} times handled:`, {
    lost: lost.length,
    "handled again": repeats,
    "again for another reason": unexplained.length,
    deliveries: recorder.deliveries.size,
    responses: Object.fromEntries(recorder.responses),
  });
  expect(lost).toEqual([]);
  expect(unexplained).toEqual([]);
  expect(queue).toMatchObject({ deadLettered: 0, dropped: 0, rejected: 0 });
});
