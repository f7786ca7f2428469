import { runInNewContext } from "node:vm";
import type { Meter, MeterProvider, MetricOptions } from "@opentelemetry/api";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ListenerMetrics } from "../../runtime/src/listener/metrics.js";
import {
  beginningOf,
  isEnabled,
  type Log,
  LogThrottle,
  loggableError,
  logOf,
} from "../../runtime/src/observability.js";
import { PublisherTelemetry } from "../../runtime/src/publisher/telemetry.js";
import { ReceiverMetrics } from "../../runtime/src/receiver/telemetry.js";
import { ManualClock } from "../support/manual-clock.js";

it("every metric has a unit, by the semantic conventions where they name the metric", () => {
  const names: Record<string, Set<string>> = {};
  const bounds: Record<string, readonly number[] | undefined> = {};
  const create = (name: string, { unit = "", advice }: MetricOptions) => {
    names[unit] = (names[unit] ?? new Set()).add(name.replace("eventgrid.", ""));
    if (advice) bounds[name] = advice.explicitBucketBoundaries;
    return { addCallback() {} };
  };
  const meterProvider: MeterProvider = {
    getMeter: () => new Proxy({} as Meter, { get: () => create }),
  };
  const timer = new ManualClock();
  new ListenerMetrics(timer, meterProvider);
  new ReceiverMetrics(timer, meterProvider, {});
  new PublisherTelemetry({ endpoint: new URL("https://t"), name: "t" }, { meterProvider });

  const units = Object.entries(names).map(([unit, of]) => [unit, [...of].toSorted().join(" ")]);
  expect(Object.fromEntries(units)).toEqual({
    "{delivery}": "listener.deliveries listener.deliveries.in_flight",
    "{event}":
      "listener.events listener.flawed_events listener.unexpected_sources publisher.events " +
      "publisher.events.pending publisher.request.events receiver.events receiver.events.in_flight " +
      "receiver.flawed_events receiver.lost_locks receiver.settlements receiver.unexpected_sources",
    "{fetch}": "listener.key_refreshes",
    "{handshake}": "listener.handshakes",
    "{message}": "messaging.client.consumed.messages messaging.client.sent.messages",
    "{request}": "listener.authentication.failures listener.parser_errors publisher.retries",
    s: "listener.lag messaging.client.operation.duration messaging.process.duration receiver.lag",
  });
  // What the conventions recommend, and the longest that Event Grid waits for an answer.
  const durations = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 25];
  const lags = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];
  expect(bounds).toEqual({
    "messaging.process.duration": durations,
    "messaging.client.operation.duration": durations,
    "eventgrid.listener.lag": lags,
    "eventgrid.receiver.lag": lags,
  });
});

describe("the console as a log", () => {
  const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;
  const names = Object.keys(LEVELS) as (keyof typeof LEVELS)[];

  it.each([
    ["trace", names],
    ["debug", names],
    ["info", ["info", "warn", "error"]],
    [undefined, ["info", "warn", "error"]],
    ["loud", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
    ["fatal", []],
    ["silent", []],
  ])("writes with LOG_LEVEL %s: %j", (threshold, written) => {
    vi.stubEnv("LOG_LEVEL", threshold);
    onTestFinished(() => void vi.unstubAllEnvs());
    const log = logOf();
    const lines = names.flatMap((name) => {
      const spy = vi.spyOn(console, name).mockReturnValue();
      onTestFinished(() => spy.mockRestore());
      log.child({ binding: "orders" })[name]({ n: 1 }, "said");
      log[name]("said");
      return spy.mock.calls.map(([line]) => JSON.parse(String(line)));
    });
    const time = expect.any(Number);
    expect(lines).toEqual(
      names
        .filter((name) => written.includes(name))
        .map((name) => LEVELS[name])
        .flatMap((level) => [
          { level, time, binding: "orders", n: 1, msg: "said" },
          { level, time, msg: "said" },
        ]),
    );
    expect([isEnabled(log, "debug"), isEnabled(log, "info")]).toEqual([
      written.includes("debug"),
      written.includes("info"),
    ]);
  });

  it("shows of an error and its causes no more than pino does, and the code", () => {
    const spy = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => spy.mockRestore());
    const cause = Object.assign(new Error("reset"), { code: "ECONNRESET", body: "hush" });
    logOf(true).error({ err: new TypeError("no", { cause }) });
    const stack = expect.any(String);
    expect(JSON.parse(String(spy.mock.calls[0]?.[0])).err).toEqual({
      ...{ type: "TypeError", message: "no", stack },
      cause: { type: "Error", message: "reset", code: "ECONNRESET", stack },
    });
  });

  it("writes a line whatever its fields are, and of a cause that is no error only the keys", () => {
    const spy = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => spy.mockRestore());
    const loop: { hush?: unknown } = {};
    loop.hush = loop;
    const circular = new Error("again");
    circular.cause = circular;
    const get = () => expect.fail("a getter");
    const unreadable = Object.defineProperty(new Error(), "message", { get });
    const errors = [new Error("no", { cause: loop }), circular, unreadable];
    for (const err of errors) logOf(true).error({ err, loop, n: 10n }, "said");
    const lines = spy.mock.calls.map(([line]) => JSON.parse(String(line)));
    const note = "(cannot be written as JSON)";
    expect(lines).toMatchObject([
      { err: { message: "no", cause: { message: expect.stringMatching(/keys: hush$/) } } },
      { err: { message: "again", cause: { message: "again" } } },
      { err: note },
    ]);
    for (const line of lines) expect(line).toMatchObject({ loop: note, n: "10", msg: "said" });
  });
});

it("a log that cannot be asked is on, unless its methods do nothing by their name", () => {
  const noop = () => {};
  const on = { debug: () => {}, info: () => {} } as Partial<Log> as Log;
  const off = { debug: noop, info: noop } as Partial<Log> as Log;
  expect([on, off, logOf(false)].map((log) => isEnabled(log, "debug"))).toEqual([
    true,
    false,
    false,
  ]);
});

it("a text is cut behind its 512th character", () => {
  expect(beginningOf("i".repeat(512))).toBe("i".repeat(512));
  expect(beginningOf("i".repeat(513))).toBe(`${"i".repeat(512)}…`);
});

it.each([
  ["x".repeat(501), `thrown string: ${"x".repeat(500)}…`],
  [Symbol("x".repeat(500)), `thrown symbol: Symbol(${"x".repeat(493)}…`],
  [null, "thrown object: null"],
  [
    Object.fromEntries("abcdefghijk".split("").map((key) => [key, "hush"])),
    "thrown object that is not an Error, with the keys: a, b, c, d, e, f, g, h, i, j",
  ],
  [
    { ["k".repeat(501)]: 1 },
    `thrown object that is not an Error, with the keys: ${"k".repeat(500)}…`,
  ],
])("what is thrown instead of an error has its own message as its stack", (thrown, message) => {
  expect(loggableError(thrown)).toMatchObject({ message, stack: message });
});

it("an error of another realm is logged as it is", () => {
  const error = runInNewContext("new RangeError('far')");
  expect(error).not.toBeInstanceOf(Error);
  expect(loggableError(error)).toBe(error);
});

it("a reason is logged once in 10 s, with the number of lines left out, whatever the clock does", () => {
  const clock = new ManualClock();
  const throttle = new LogThrottle<string>(() => clock.now());
  const written: unknown[] = [];
  const write = (reason: string) =>
    throttle.write(reason, ({ unlogged }) => void written.push(`${reason} ${unlogged}`));
  write("a");
  write("a");
  write("b");
  clock.advance(9_999);
  write("a");
  clock.advance(1);
  write("a");
  clock.setBack(1);
  write("a");
  write("a");
  expect(written).toEqual(["a 0", "b 0", "a 2", "a 0"]);
});
