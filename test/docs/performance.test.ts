import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";

type Row = Readonly<Record<string, number | string>>;

/** A measured value from `bench/results`, which `npm run bench` writes. */
function measured(group: string, scenario: string, name: string, field: string): number {
  const file = join(root, "bench/results", `${group}.json`);
  const { scenarios }: { scenarios: Record<string, readonly Row[]> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const value = scenarios[scenario]?.find((row) => row.name === name)?.[field];
  if (typeof value !== "number") throw new Error(`no ${field} of ${name} in ${group}`);
  return value;
}

const page = (name: string) => readFileSync(join(root, `docs/${name}.md`), "utf8");
const micros = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
const thousands = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
const times = (value: number) => `${value >= 10 ? value.toFixed(0) : value.toFixed(1)} ×`;

describe("docs/performance.md", () => {
  const text = page("performance");

  it.each([
    [
      "`createListener`: token, limits, deduplication, checked envelope, typed handler",
      "createListener",
    ],
    ["`createListener`, `deduplication: false`", "createListener, deduplication: false"],
    ["`node:http`, no authentication", "node:http, no authentication"],
    ["fastify, no authentication", "fastify, no authentication"],
    ["fastify + jose + SDK", "fastify + jose + EventGridDeserializer"],
    ["express + jsonwebtoken + cloudevents", "express + jsonwebtoken + cloudevents"],
  ])("has the measured processor time of %s", (label, name) => {
    const cpu = (scenario: string) => micros(measured("listener", scenario, name, "cpu"));
    const row = `| ${label} | ${cpu("one 1 KB event in each")} | ${cpu("batches of 100 events")} |`;
    expect(text).toContain(row);
  });

  it("says what deduplication costs", () => {
    const cpu = (name: string) => measured("listener", "one 1 KB event in each", name, "cpu");
    const share = 1 - cpu("createListener, deduplication: false") / cpu("createListener");
    expect(text).toContain(`It costs ${(share * 100).toFixed(0)} % of a single delivery's`);
    const rate = (name: string) => measured("redis", "batches of 100 events", name, "rate");
    const ratio = rate("Redis") / rate("deduplication: false");
    expect(text).toContain(`a batch reaches ${ratio.toFixed(2)} of the rate without`);
  });

  it.each([
    ["publisher, one awaited caller", "publisher", "one caller, each event awaited"],
    ["publisher, 64 callers", "publisher", "64 callers at once, one event each"],
    ["publisher, arrays of 100", "publisher", "one caller, arrays of 100"],
    ["receiver, one event a call", "receiver", "one event a call"],
    ["receiver, 100 events a call", "receiver", "100 events a call"],
  ])("has the measured ratio of %s", (label, group, scenario) => {
    const [ours, theirs] =
      group === "publisher"
        ? ["create", "EventGridPublisherClient.send"]
        : ["createReceiver", "EventGridReceiverClient"];
    const rate = measured(group, scenario, ours, "rate");
    const ratio = times(rate / measured(group, scenario, theirs, "rate"));
    const row = text.split("\n").find((line) => line.startsWith(`| ${label} |`));
    expect(row).toContain(`| ${ratio}`);
    if (group === "publisher") expect(row).toContain(`(${thousands(hundreds(rate))} per second)`);
  });

  it("has the measured costs of constructs, footprint, inbox and the local Azure", () => {
    const stack = (name: string) => measured("construct", "100 bindings in a stack", name, "each");
    const ours = stack("CloudEventGridBinding");
    const ratio = (ours / stack("the same resources by hand")).toFixed(2);
    expect(text).toContain(`${ratio} × the time (${ours.toFixed(1)} ms per binding)`);
    const footprint = (scenario: string, name: string, field: string) =>
      measured("footprint", scenario, name, field);
    const [own, byHand] = [
      "cloud-eventgrid-binding-runtime",
      "by hand: fastify, jose, @azure/eventgrid",
    ];
    const size = (name: string) => footprint("installed", name, "megabytes").toFixed(1);
    expect(text).toContain(`${size(own)} MB instead of ${size(byHand)}`);
    const start = (name: string) =>
      (footprint("cold start, from the process to listening", name, "start") / 5).toFixed(0);
    const [fast, slow] = [Number(start(own)) * 5, Number(start(byHand)) * 5];
    expect(text).toContain(`listening after ${fast} ms instead of ${slow}`);
    expect(text).toContain(`| ${inboxRatio()} × the time |`);
    const scenario = "published, delivered with a signed token, acknowledged";
    const rate = measured("local-azure", scenario, "one event per delivery", "rate");
    expect(text).toContain(`${thousands(hundreds(rate))} signed deliveries per second`);
  });
});

describe("docs/exactly-once.md", () => {
  it("has the measured costs of outbox, inbox and relay", () => {
    const text = page("exactly-once");
    const order = (name: string) =>
      (
        measured("postgres", "an order in a transaction, 5 at a time", name, "time") / 1_000
      ).toFixed(2);
    expect(text).toContain(
      `takes ${order("with an event in the outbox")} ms instead of ${order("without")}`,
    );
    expect(text).toContain(`takes ${inboxRatio()} times as long`);
    const relay = (name: string) =>
      measured("postgres", "events of 1 KB, 20000 stored before", name, "rate");
    const rate = relay("relay of an outbox");
    const share = (rate / relay("create with arrays of 100")).toFixed(2);
    const perSecond = thousands(Math.round(rate / 1_000) * 1_000);
    expect(text).toContain(`publishes ${perSecond} events of 1 KB per second, ${share} of what`);
  });
});

/** Pages quote rates in hundreds, or from 100,000 in thousands. */
function hundreds(rate: number): number {
  const unit = rate >= 100_000 ? 1_000 : 100;
  return Math.round(rate / unit) * unit;
}

function inboxRatio(): string {
  const time = (name: string) =>
    measured("postgres", "a handler that inserts a row, 5 at a time", name, "time");
  return (time("inbox") / time("its own transaction")).toFixed(2);
}
