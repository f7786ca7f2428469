import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  basicDeadLetters,
  type DeadLetter,
  DeadLetters,
  type DeadLetterTarget,
} from "../../../../local/src/eventgrid/delivery/dead-letters.js";
import { BoundedHistory } from "../../../../local/src/eventgrid/index.js";
import { readRecordedEvent } from "../../../../local/src/eventgrid/topics/index.js";
import { cloudEvent } from "../../support/cloud.js";
import { emptyDirectory } from "../../support/command.js";

const START = Date.parse("2026-01-31T07:08:09Z");
const STORAGE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts";
const progress = { attempts: 2, lastOutcome: "Busy", lastAttemptAt: START - 1000 };

const event = (id: string) =>
  readRecordedEvent(
    { json: JSON.stringify(cloudEvent({ id })), schema: "CloudEventSchemaV1_0" },
    "/t",
    START - 5000,
  ).event;

/** Dead letters whose storage account answers with a status, or not at all. */
function start(answer?: number | Error, resourceId?: string) {
  const directory = emptyDirectory();
  const root = join(directory, "root");
  const stages: unknown[][] = [];
  const blobs: string[][] = [];
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warnings.mockRestore());
  const target: { problem?: string; container?: string } = { container: "dead" };
  const deadLetters = new DeadLetters({
    history: new BoundedHistory<DeadLetter>(10, 3 * event("a").sizeInBytes),
    clock: { now: () => START },
    deadLetterDirectory: root,
    storage:
      answer === undefined
        ? undefined
        : {
            putBlob: async (container, blob, body) => {
              blobs.push([container, blob, body]);
              if (answer instanceof Error) throw answer;
              return { url: `https://a/${container}`, status: answer, headers: {}, body: "denied" };
            },
          },
    stages: { report: (...stage: unknown[]) => void stages.push(stage) },
  });
  const letters: DeadLetterTarget = {
    subscription: "orders-sub",
    destination: () =>
      target.container === undefined
        ? undefined
        : {
            endpointType: "StorageBlob",
            properties: { blobContainerName: target.container, resourceId },
          },
    problem: () => target.problem,
    folder: "ORDERS-SUB",
    recordOf: ({ event: { id }, deadletterreason }) => `{"${id}":"${deadletterreason}"}`,
  };
  const warned = () => warnings.mock.calls.map(([text]) => String(text).replace(root, ""));
  return { deadLetters, letters, target, directory, root, stages, blobs, warned };
}

/** @see https://learn.microsoft.com/azure/event-grid/manage-event-delivery */
it("names what happened as the schema of the delivery does", async () => {
  const { deadLetters, letters, stages } = start(201, `${STORAGE}/acct`);
  await deadLetters.of(letters).put([event("a")], "Gone", progress);
  const [[, letter] = []] = stages;
  const reasonIn = (deliverySchema: string) => {
    const current = Object({ subscription: { name: "orders-sub", settings: { deliverySchema } } });
    return Object.entries(
      JSON.parse(basicDeadLetters(current, () => undefined).recordOf(Object(letter))),
    ).slice(-5);
  };
  const camelCase = {
    deadLetterReason: "Gone",
    deliveryAttempts: 2,
    lastDeliveryOutcome: "Busy",
    publishTime: "2026-01-31T07:08:04.000Z",
    lastDeliveryAttemptTime: "2026-01-31T07:08:08.000Z",
  };
  const sorted = (entries: readonly (readonly [string, unknown])[]) => entries.toSorted();
  const own = Object.entries(camelCase);
  expect(sorted(reasonIn("EventGridSchema"))).toEqual(sorted(own));
  expect(sorted(reasonIn("CustomInputSchema"))).toEqual(sorted(own));
  const lower = own.map(([name, value]) => [name.toLowerCase(), value] as const);
  expect(sorted(reasonIn("CloudEventSchemaV1_0"))).toEqual(sorted(lower));
});

it("writes the events of an attempt to one file and one blob, and reports each", async () => {
  const { deadLetters, letters, root, stages, blobs, warned } = start(201, `${STORAGE}/acct`);
  const [a, b] = [event("a"), event("b")];
  await deadLetters.of(letters).put([a, b], "Gone", progress);
  const [[container, blob = "", content] = []] = blobs;
  expect([blobs.length, container, content]).toEqual([1, "dead", '[{"a":"Gone"},{"b":"Gone"}]']);
  expect(blob).toMatch(/^ORDERS-SUB\/2026\/1\/31\/7\/[-0-9a-f]{36}\.json$/);
  expect(readFileSync(join(root, "acct/dead", blob), "utf8")).toBe(content);
  const letter = {
    ...{ subscription: "orders-sub", blob, deadletterreason: "Gone", deliveryattempts: 2 },
    ...{ lastdeliveryoutcome: "Busy", lastdeliveryattempttime: "2026-01-31T07:08:08.000Z" },
    publishtime: "2026-01-31T07:08:04.000Z",
  };
  expect(stages).toEqual([a, b].map((each) => ["deadLettered", { ...letter, event: each }]));
  expect(deadLetters.list()).toEqual(stages.map(([, each]) => each));
  expect(warned()).toEqual([]);
  deadLetters.clear();
  expect([deadLetters.list(), stages.at(-1)]).toEqual([[], ["deadLettersCleared"]]);
});

it("keeps the latest in memory, without the time of an attempt that was not made", async () => {
  const { deadLetters, letters, root } = start();
  const { put } = deadLetters.of({ ...letters, reasonOf: (reason) => `because ${reason}` });
  for (const id of ["a", "b", "c", "d"]) {
    await put([event(id)], "Gone", { attempts: 0, lastOutcome: "", lastAttemptAt: 0 });
  }
  expect(deadLetters.list().map((each) => each.event.id)).toEqual(["b", "c", "d"]);
  expect(deadLetters.list()[0]).not.toHaveProperty("lastdeliveryattempttime");
  expect(deadLetters.list()[0]).toHaveProperty("deadletterreason", "because Gone");
  expect(readdirSync(join(root, "local/dead/ORDERS-SUB/2026/1/31/7"))).toHaveLength(4);
});

it("takes nothing without a container, or while the container has a problem", async () => {
  const { deadLetters, letters, target, blobs, stages } = start(201);
  const of = deadLetters.of(letters);
  expect([of.takes(), of.problem()]).toEqual([true, undefined]);
  target.problem = "no role";
  expect([of.takes(), of.problem()]).toEqual([false, "no role"]);
  await of.put([event("a")], "Gone", progress);
  delete target.container;
  expect([of.takes(), of.problem()]).toEqual([false, undefined]);
  delete target.problem;
  expect(of.takes()).toBe(false);
  await of.put([event("a")], "Gone", progress);
  expect([blobs, stages]).toEqual([[], []]);
});

it.each([
  [403, "https://a/dead: 403 denied"],
  [200, "https://a/dead: 200 denied"],
  [
    new TypeError("fetch failed", { cause: new Error("refused") }),
    "the container dead: Error: refused",
  ],
  [new Error("no answer"), "the container dead: Error: no answer"],
])("warns of a storage account that answers %s", async (answer, problem) => {
  const { deadLetters, letters, warned } = start(answer);
  await deadLetters.of(letters).put([event("a")], "Gone", progress);
  expect(warned()).toEqual([`Dead letters could not be written to ${problem}`]);
});

it("writes no file outside the directory, whatever a restored subscription names, and warns", async () => {
  const { deadLetters, letters, directory, warned } = start(undefined, `${STORAGE}/..`);
  await deadLetters.of(letters).put([event("a")], "Gone", progress);
  expect(readdirSync(directory)).toEqual([]);
  expect(warned()).toEqual([expect.stringContaining("the path is outside the directory")]);
});
