import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AcceptedEvent, DeadLetter } from "../../../local/src/eventgrid/index.js";
import { DeliveryJournal } from "../../../local/src/persistence/delivery-journal.js";
import { StateFile } from "../../../local/src/persistence/state-file.js";
import { emptyDirectory } from "../support/command.js";

function eventOf(id: string, data = ""): AcceptedEvent {
  const json = JSON.stringify({ id, data });
  const fields = { type: "placed", source: "/shop", subject: undefined, time: undefined };
  const schema = "CloudEventSchemaV1_0";
  return { id, ...fields, schema, json, sizeInBytes: json.length, publishedAt: 0 };
}

function letterOf(event: AcceptedEvent): DeadLetter {
  const names = { subscription: "one", blob: "a.json", deadletterreason: "r", publishtime: "t" };
  return { ...names, event, deliveryattempts: 1, lastdeliveryoutcome: "o" };
}

const progress = { attempts: 2, lastOutcome: "Busy", lastAttemptAt: 1, nextAttemptAt: 2 };
const [a, b] = [eventOf("a"), eventOf("b")];

function start(deadLetters: () => DeadLetter[] = () => []) {
  const file = join(emptyDirectory(), "deliveries.log");
  const open = () => new DeliveryJournal(file, deadLetters);
  /** What the next process finds, as `event@subscription` with the attempts so far. */
  const pending = () =>
    open().recovered.pending.map(
      ({ event, subscriptionId, progress: so }) =>
        `${event.id}@${subscriptionId}${so ? `:${so.attempts}` : ""}`,
    );
  return { file, open, pending };
}

it("a journal recovers the deliveries that are not settled, with their attempts", () => {
  const { open, pending } = start();
  const journal = open();
  expect(journal.isNew).toBe(true);
  for (const id of ["one", "two", "three"]) journal.queued(a, id);
  journal.queued(b, "one");
  journal.retrying([a, b], "two", progress);
  journal.retrying([eventOf("c")], "one", progress);
  journal.settled([a, b], "three");
  journal.flush();
  expect(pending()).toEqual(["a@one", "a@two:2", "b@one"]);
  journal.cleared("one");
  journal.flush();
  expect(pending()).toEqual(["a@two:2"]);
  journal.close();
  journal.queued(b, "two");
  journal.flush();
  const again = open();
  expect(again.isNew).toBe(false);
  // The numbers of the events go on, so that each is settled by itself.
  again.queued(b, "two");
  again.settled([again.recovered.pending[0]?.event ?? a], "two");
  again.flush();
  expect(pending()).toEqual(["b@two"]);
});

it("a delivery that was queued twice is settled the second time", () => {
  const { open, pending } = start();
  const journal = open();
  for (const _ of [1, 2]) journal.queued(a, "one");
  journal.settled([a], "one");
  journal.flush();
  expect(pending()).toEqual(["a@one"]);
  journal.settled([a], "one");
  journal.settled([a], "one");
  journal.flush();
  expect(pending()).toEqual([]);
});

it("a journal is written at the end of a turn, without a call", async () => {
  const { file, open, pending } = start();
  open().queued(a, "one");
  expect(readFileSync(file, "utf8")).toMatch(/^[\da-f]{8} \{"k":"log"\}\n$/);
  await new Promise((resolve) => setImmediate(resolve));
  expect(pending()).toEqual(["a@one"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("dead letters are recovered, but for those before they were cleared", () => {
  const { open } = start();
  const journal = open();
  journal.deadLettered(letterOf(a));
  journal.deadLettersCleared();
  journal.deadLettered(letterOf(b));
  journal.flush();
  const [letter, ...more] = open().recovered.deadLetters;
  expect([letter?.event.id, more]).toEqual(["b", []]);
});

it("a log above 4 MiB is replaced by what is pending and by the dead letters", () => {
  const { file, open, pending } = start(() => [letterOf(b)]);
  const journal = open();
  const large = eventOf("large", "x".repeat(2 ** 20));
  journal.queued(a, "one");
  journal.retrying([a], "one", progress);
  journal.queued(a, "two");
  for (let round = 0; round < 3; round++) {
    journal.queued(large, "one");
    journal.settled([large], "one");
  }
  journal.flush();
  expect(statSync(file).size).toBeGreaterThan(3 * 2 ** 20);
  journal.queued(large, "one");
  journal.settled([large], "one");
  journal.flush();
  expect(statSync(file).size).toBeLessThan(2_000);
  expect(existsSync(`${file}.new`)).toBe(false);
  const { ino } = statSync(file);
  expect(pending()).toEqual(["a@one:2", "a@two"]);
  expect(open().recovered.deadLetters).toMatchObject([{ event: { id: "b" } }]);
  journal.settled([a], "one");
  journal.flush();
  expect(statSync(file).ino).toBe(ino);
  expect(pending()).toEqual(["a@two"]);
});

it("a line that is cut off is removed, and a damaged one is reported and copied each time", async () => {
  const { file, open, pending } = start();
  const journal = open();
  journal.queued(a, "one");
  journal.flush();
  const whole = readFileSync(file);
  appendFileSync(file, whole.subarray(0, 12));
  expect(pending()).toEqual(["a@one"]);
  expect(readFileSync(file)).toEqual(whole);
  expect(existsSync(`${file}.copy-1`)).toBe(false);
  for (const number of [1, 2]) {
    const warning = new Promise<Error>((resolve) => process.once("warning", resolve));
    appendFileSync(file, "00000000 {}\n");
    expect(pending()).toEqual(["a@one"]);
    expect((await warning).message).toContain(`Damaged records in ${file}: 1.`);
    expect(readFileSync(`${file}.copy-${number}`, "utf8")).toMatch(/\n00000000 \{\}\n$/);
    expect(readFileSync(file)).toEqual(whole);
  }
});

it("the state is written when it has changed, and read as it was written", () => {
  const file = join(emptyDirectory(), "state.json");
  let value = 1;
  const restore = (state: { value: number }) => {
    value = state.value;
  };
  const parts = {
    one: { snapshot: () => ({ value }), restore },
    new: { snapshot: () => undefined, restore: () => expect.unreachable() },
  };
  const state = new StateFile(file, parts);
  expect(state.exists).toBe(false);
  state.load();
  state.save();
  expect(readFileSync(file, "utf8")).toMatch(
    /^\{"checksum":"[\da-f]{8}",\n"state":\{"one":\{"value":1\}\}\}\n$/,
  );
  const written = readFileSync(file, "utf8");
  writeFileSync(file, "");
  state.save();
  expect(readFileSync(file, "utf8")).toBe("");
  writeFileSync(file, written);
  value = 2;
  const again = new StateFile(file, parts);
  expect(again.exists).toBe(true);
  again.load();
  expect(value).toBe(1);
  writeFileSync(file, "");
  again.save();
  expect(readFileSync(file, "utf8")).toBe("");
  for (const text of ["", written.replace("1}", "3}"), written.slice(0, -1), `x${written}`]) {
    writeFileSync(file, text);
    expect(() => again.load()).toThrow(/its checksum does not match/);
  }
});
