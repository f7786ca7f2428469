import { PublishError } from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { ACCEPTED, refused, type TopicAnswer, TopicServer } from "../../support/topic-server.js";
import { publisherWith } from "./harness.js";
import { randomOf } from "./random.js";

const EVENTS = 10_000;
const CALLERS = 400;

interface Outcome {
  readonly id: string;
  readonly resolved: boolean;
  /** What the error reports of a rejected event. */
  readonly mayHaveArrived?: boolean;
}

/** What a call reports of each of its events. */
async function outcomesOf(call: Promise<string[]>): Promise<Outcome[]> {
  try {
    return (await call).map((id) => ({ id, resolved: true }));
  } catch (error) {
    if (!(error instanceof PublishError)) throw error;
    return [
      ...error.accepted.map((id) => ({ id, resolved: true })),
      ...error.events.map(({ id, mayHaveArrived }) => ({ id, resolved: false, mayHaveArrived })),
    ];
  }
}

describe.each([1, 2, 3])("10,000 events to a topic that fails at random (seed %i)", (seed) => {
  it("no rejected event is reported as accepted, and no accepted event as certainly lost", async () => {
    const random = randomOf(seed);
    const inTopic = new Set<string>();
    const answerCounts = new Map<string, number>();
    const topic = await TopicServer.start(({ events }) => {
      const [name, answer, taken] = faultOrNot(
        random(),
        events.some(({ poison }) => poison),
      );
      answerCounts.set(name, (answerCounts.get(name) ?? 0) + 1);
      if (taken) for (const { id } of events) inTopic.add(String(id));
      return answer;
    });
    const publisher = publisherWith({ random }, topic.binding, {
      attemptTimeoutMs: 250,
      timeoutMs: 20_000,
      retry: { attempts: 3, firstDelayMs: 2, maxDelayMs: 10 },
      limits: { requestEvents: 50, bufferedEvents: 2_000 },
    });

    let next = 0;
    const outcomes: Outcome[] = [];
    const caller = async () => {
      while (next < EVENTS) {
        const size = Math.min(EVENTS - next, random() < 0.8 ? 1 : Math.ceil(random() * 80));
        const events = Array.from({ length: size }, () => {
          const id = `e${next++}`;
          return { type: "t", id, poison: random() < 0.002 || undefined, data: { id } };
        });
        // Some callers leave while others wait for the same request.
        const options =
          random() < 0.05 ? { signal: AbortSignal.timeout(Math.floor(random() * 20)) } : {};
        outcomes.push(...(await outcomesOf(publisher.create(events, options))));
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    await publisher.close();
    await topic.stop();

    expect(outcomes).toHaveLength(EVENTS);
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(EVENTS);
    const falselyResolved = outcomes.filter(({ id, resolved }) => resolved && !inTopic.has(id));
    expect(falselyResolved).toEqual([]);
    const falselyDenied = outcomes.filter(
      ({ id, mayHaveArrived }) => mayHaveArrived === false && inTopic.has(id),
    );
    expect(falselyDenied).toEqual([]);

    // Every fault occurred, and they neither spared nor stopped everything.
    expect([...answerCounts.keys()].sort()).toEqual(
      [
        "200",
        "400",
        "429",
        "503",
        "503 taken",
        "hang",
        "hang taken",
        "reset",
        "reset taken",
      ].sort(),
    );
    const rejected = outcomes.filter(({ resolved }) => !resolved).length;
    expect(rejected).toBeGreaterThan(0);
    expect(rejected).toBeLessThan(EVENTS / 2);
  });
});

/** How the topic responds, and whether it accepts the events. */
function faultOrNot(chance: number, poisoned: boolean): [string, TopicAnswer, boolean] {
  if (chance < 0.05) return ["429", refused(429, "TooManyRequests", "slow down"), false];
  if (chance < 0.1) return ["503", refused(503, "ServiceUnavailable", "busy"), false];
  if (chance < 0.15) return ["reset", "reset", false];
  if (chance < 0.2) return ["hang", "hang", false];
  if (poisoned) return ["400", refused(400, "BadRequest", "poisoned"), false];
  if (chance < 0.23) return ["503 taken", refused(503, "ServiceUnavailable", "busy"), true];
  if (chance < 0.26) return ["reset taken", "reset", true];
  if (chance < 0.28) return ["hang taken", "hang", true];
  return ["200", ACCEPTED, true];
}
