import { type Azure, textAt } from "../azure/index.js";
import {
  type ContainerFlags,
  type DeadLetterContainer,
  openContainer,
  selectBlobs,
} from "../dead-letters/index.js";
import { publishEvent, type readEvent, topicAt } from "../publishing/index.js";
import { isTopic } from "../resource-id.js";
import { CommandError } from "../terminal/index.js";
import {
  type Counts,
  checkEventSubscription,
  countsSince,
  deadLetterDestinationOf,
  EVENT_GRID_API,
  type EventSubscription,
} from "./checks/index.js";
import type { Deployment } from "./deployment.js";
import { type Finding, findings } from "./finding.js";

type Event = Awaited<ReturnType<typeof readEvent>>;

export interface SendOptions {
  /** How long to wait, in milliseconds. */
  readonly timeout: number;
  /** The container of the dead letters. @default the one of the event subscription */
  readonly container: ContainerFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly progress: (text: string) => void;
}

/** How often the metrics are read, in milliseconds. */
const INTERVAL_MS = 15_000;

/** Where an event of a deployment is published, and the subscription that should deliver it. */
export interface Route {
  readonly topic: ReturnType<typeof topicAt>;
  readonly subscription: EventSubscription;
}

/**
 * Finds the topic and the event subscription of a deployment.
 *
 * @throws {CommandError} when nobody can publish to the scope, or the caller may not read its keys
 */
export async function findRoute(
  azure: Azure,
  { input, output }: Deployment,
  ca: string | undefined,
): Promise<Route> {
  if (input === undefined) throw new CommandError("--send needs a definition with a webhook");
  const { subscription } = await checkEventSubscription(azure, input);
  if (subscription === undefined) throw new CommandError("--send needs an event subscription");
  if (output !== undefined) {
    const key = output.usesEntra ? undefined : output.accessKey;
    return { topic: topicAt(output.topicEndpoint, key, ca), subscription };
  }
  const { scope } = subscription;
  if (!isTopic(scope)) {
    throw new CommandError(`--send needs a topic, and nobody can publish to ${scope}`);
  }
  const [topic, keys] = [
    await azure.arm(scope, EVENT_GRID_API),
    await azure.keys(scope, EVENT_GRID_API),
  ];
  const endpoint = textAt(topic.body, "properties", "endpoint");
  const key = textAt(keys.body, "key1");
  if (endpoint !== undefined && key !== undefined) {
    return { topic: topicAt(endpoint, key, ca), subscription };
  }
  const { status } = endpoint === undefined ? topic : keys;
  throw new CommandError(
    `the endpoint and the keys of ${scope} cannot be read (${status}): add topicEndpoint and a ` +
      "credential to the definition",
  );
}

/** Publishes an event, and waits until Azure says what became of it. */
export async function sendEvent(
  azure: Azure,
  { topic, subscription }: Route,
  event: Event,
  options: SendOptions,
): Promise<Finding[]> {
  const { now, sleep, progress, timeout } = options;
  const finding = findings("send");
  const start = now();
  const read = () => countsSince(azure, subscription.id, start - HOUR_MS, now());
  const before = await read();
  const deadLetters = await openDeadLetters(azure, subscription, options);
  const id = await publishEvent(topic, event);
  const results = [finding.ok(`${topic.endpoint} accepted the event ${id}`)];
  if (deadLetters.note !== undefined) results.push(deadLetters.note);
  while (now() - start < timeout) {
    progress(`waiting for the event ${id}, ${Math.round((now() - start) / 1000)} s`);
    const after = await read();
    const verdicts = [
      ...(await judgeDeadLetter(deadLetters.container, id, start)),
      ...(before && after ? judgeCounts(before, after) : []),
    ];
    if (verdicts.length > 0) return [...results, ...verdicts];
    await sleep(INTERVAL_MS);
  }
  const message = `no count of "${subscription.name}" rose within ${timeout / 1000} s`;
  const remedy = "metrics lag by minutes: look again with doctor, or compare the filter (--event)";
  return [...results, finding.unknown(message, remedy)];
}

const HOUR_MS = 3_600_000;

/** What every verdict on a count has to say. */
const CAVEAT = "metrics lag by minutes, and another event may have been counted";

function judgeCounts(before: Counts, after: Counts): Finding[] {
  const finding = findings("send");
  const rise = (metric: keyof Counts) => after[metric] - before[metric];
  const verdicts: Finding[] = [];
  if (rise("DeliverySuccessCount") > 0) {
    const count = rise("DeliverySuccessCount");
    verdicts.push(finding.ok(`the number of deliveries rose by ${count}; ${CAVEAT}`));
  }
  const log = "read the listener's log for the answer to the delivery";
  for (const [metric, what] of FAILURES) {
    const count = rise(metric);
    if (count > 0)
      verdicts.push(finding.failed(`the number of ${what} rose by ${count}; ${CAVEAT}`, log));
  }
  return verdicts;
}

const FAILURES = [
  ["DeliveryAttemptFailCount", "failed attempts"],
  ["DeadLetteredCount", "dead letters"],
  ["DroppedEventCount", "dropped events"],
] as const;

/** Finds the event itself among the dead letters. */
async function judgeDeadLetter(
  container: DeadLetterContainer | undefined,
  id: string,
  start: number,
): Promise<Finding[]> {
  if (container === undefined) return [];
  const selection = { ids: [id], since: new Date(start - HOUR_MS), limit: 1 };
  for await (const { letters } of selectBlobs(container, selection)) {
    for (const { reason, lastDeliveryOutcome: outcome = "unknown", blob } of letters) {
      return [
        findings("send").failed(
          `the event was dead-lettered: ${reason}, last outcome ${outcome} (${blob})`,
          "read the listener's log for the answer to the delivery",
        ),
      ];
    }
  }
  return [];
}

/** The container of the subscription's dead letters, if it has one that can be read. */
async function openDeadLetters(
  azure: Azure,
  { properties }: EventSubscription,
  { container: flags, env }: SendOptions,
): Promise<{ readonly container?: DeadLetterContainer; readonly note?: Finding }> {
  const isNamed = flags.container !== undefined || flags.containerEnv !== undefined;
  const { account, name } = deadLetterDestinationOf(properties);
  if (!isNamed && (account === undefined || name === undefined)) return {};
  try {
    if (isNamed) return { container: await openContainer(flags, env) };
    const { body } = await azure.arm(account ?? "", "2023-05-01");
    const blobs = textAt(body, "properties", "primaryEndpoints", "blob");
    if (blobs === undefined) return {};
    return { container: await openContainer({ container: `${blobs}${name}` }, env) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const remedy = "name the container with --container or --container-env";
    return {
      note: findings("send").note(`the dead letters cannot be read: ${error.message}`, remedy),
    };
  }
}
