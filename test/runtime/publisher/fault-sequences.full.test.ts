import { PublishError } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { FAULTS, type Fault, FaultyTopic } from "./faulty-topic.js";
import { publisherWith } from "./harness.js";
import { randomOf } from "./random.js";

const SEQUENCES = 400;
const AT_ONCE = 20;

/** What the caller learned about one event. */
interface Outcome {
  readonly id: string;
  readonly accepted: boolean;
  readonly mayHaveArrived: boolean;
}

/** Publishes a few events to a topic that fails in a random sequence. */
async function run(seed: number) {
  const random = randomOf(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const faults: string[] = [];
  const next = (): Fault => {
    const fault = random() < 0.65 ? (FAULTS[0] as Fault) : pick(FAULTS);
    faults.push(`${fault.name}${fault.taken ? " (taken)" : ""}`);
    return fault;
  };
  const topic = new FaultyTopic(next);
  await topic.start();
  const publisher = publisherWith(
    { random },
    { topicEndpoint: topic.endpoint, name: "orders" },
    {
      accessKey: () => (random() < 0.1 ? Promise.reject(new Error("no key")) : `key-${random()}`),
      attemptTimeoutMs: 120,
      timeoutMs: pick([150, 500, 2_000]),
      retry: { attempts: pick([1, 2, 4]), firstDelayMs: 1, maxDelayMs: 20 },
      whenFull: pick(["wait", "fail"]),
      limits: {
        requestEvents: pick([1, 2, 100]),
        concurrentRequests: pick([1, 4]),
        bufferedEvents: pick([3, 1_000]),
      },
    },
  );

  let ids = 0;
  const call = async (): Promise<Outcome[]> => {
    if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, random() * 40));
    const events = Array.from({ length: pick([1, 1, 3, 40]) }, () => ({
      type: "t",
      id: `e${ids++}`,
    }));
    const signal = random() < 0.2 ? { signal: AbortSignal.timeout(Math.ceil(random() * 60)) } : {};
    try {
      const accepted = await publisher.create(events, signal);
      return accepted.map((id) => ({ id, accepted: true, mayHaveArrived: true }));
    } catch (error) {
      if (!(error instanceof PublishError)) throw error;
      return [
        ...error.accepted.map((id) => ({ id, accepted: true, mayHaveArrived: true })),
        ...error.events.map(({ id, mayHaveArrived }) => ({ id, accepted: false, mayHaveArrived })),
      ];
    }
  };
  const outcomes = (await Promise.all(Array.from({ length: 6 }, call))).flat();
  await publisher.close();
  // Requests that were given up may still arrive.
  await new Promise((resolve) => setTimeout(resolve, 20));
  topic.stop();
  return {
    faults,
    created: ids,
    outcomes,
    falselyAccepted: outcomes.filter(({ id, accepted }) => accepted && !topic.accepted.has(id)),
    falselyLost: outcomes.filter(
      ({ id, mayHaveArrived }) => !mayHaveArrived && topic.accepted.has(id),
    ),
  };
}

describe(`${SEQUENCES} random sequences of faults`, () => {
  it("no rejected event is reported as accepted, and no accepted event as certainly lost", async () => {
    const seeds = Array.from({ length: SEQUENCES }, (_, index) => index + 1);
    const seen = new Set<string>();
    let accepted = 0;
    let rejected = 0;
    const worker = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const { faults, created, outcomes, falselyAccepted, falselyLost } = await run(seed);
        const sequence = `seed ${seed}: ${faults.join(", ")}`;
        expect(falselyAccepted, sequence).toEqual([]);
        expect(falselyLost, sequence).toEqual([]);
        expect(outcomes.length, sequence).toBe(created);
        for (const fault of faults) seen.add(fault);
        accepted += outcomes.filter((outcome) => outcome.accepted).length;
        rejected += outcomes.filter((outcome) => !outcome.accepted).length;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    // The sequences contained every fault, and neither spared nor stopped everything. How much they
    // stop depends on the machine, because the attempts are short.
    expect(seen.size).toBe(FAULTS.length);
    expect(accepted).toBeGreaterThan(0);
    expect(rejected).toBeGreaterThan(0);
  }, 120_000);
});
