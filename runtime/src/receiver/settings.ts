import {
  AZURE_LIMITS,
  type PullRuntimeBinding,
  parsePullBinding,
  type ServicePullBinding,
} from "../binding/index.js";
import { ConfigurationError, type Problem } from "../errors.js";
import type { EventPayloads } from "../events/index.js";
import {
  type AnyCatalogue,
  type AnyMiddleware,
  type HandlingOptions,
  handlerProblems,
  handlingOptions,
  type ProcessOptions,
  processOptions,
} from "../handling/index.js";
import {
  type CredentialOptions,
  credentialOptions,
  namespaceService,
  serviceProblems,
  type TransportOptions,
  transportOptions,
} from "../transport/index.js";
import { SECOND_MS } from "../units.js";
import {
  checkOf,
  choiceRule,
  delayMs,
  durationMs,
  group,
  integerRule,
  isObject,
  listOf,
  nonEmptyString,
  type OptionTable,
  positiveInteger,
  problemsOf,
  required,
  withDefaults,
} from "../validation/index.js";

/** Options of `createReceiver`. */
export interface ReceiverOptions<
  P extends EventPayloads = EventPayloads,
  M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
> extends HandlingOptions<P, M>,
    ProcessOptions,
    CredentialOptions,
    TransportOptions {
  /** Handlers running at a time. @default 64 */
  readonly concurrency?: number | undefined;
  /**
   * Most events that wait for a handler, besides those whose handlers run. Fewer are received while
   * handlers take so long that locks could run out. 0 receives only what a handler is free for.
   * @default 100
   */
  readonly prefetch?: number | undefined;
  /** How long a request waits for the first event, in seconds: 10 to 120. @default 60 */
  readonly maxWaitSeconds?: number | undefined;
  /**
   * When an event is delivered again after its handler threw, in seconds: after the first delivery,
   * the second and so on; the last one repeats. The service knows 0, 10, 60, 600 and 3600.
   * @default [10, 60, 600, 3600]
   */
  readonly retryDelaysSeconds?: readonly ReleaseDelay[] | undefined;
  /** Time for one request, besides the wait for events, in milliseconds. @default 20_000 */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * How long a drain waits for running handlers, in milliseconds. Then their events are released.
   * @default 25_000
   */
  readonly drainTimeoutMs?: number | undefined;
  /** A server (`port`, `host`) for the health routes `/healthz` and `/readyz`. @default none */
  readonly health?: ReceiverHealth | undefined;
}

/** The delays that the service knows, in seconds. */
export type ReleaseDelay = 0 | 10 | 60 | 600 | 3600;

/** The server for the health routes of `createReceiver`. */
export interface ReceiverHealth {
  /** Port to listen on; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. @default "0.0.0.0", every IPv4 address */
  readonly host?: string | undefined;
}

const { receiveWaitSeconds, releaseDelaySeconds } = AZURE_LIMITS;
const retryDelaysSeconds: readonly ReleaseDelay[] = [10, 60, 600, 3600];

const healthCheck = group<ReceiverHealth>({
  port: required(integerRule(0, 65_535)),
  host: nonEmptyString,
});

export const receiverOptions = {
  ...handlingOptions,
  ...credentialOptions,
  concurrency: { check: positiveInteger, default: 64 },
  prefetch: { check: integerRule(0, 10_000), default: 100 },
  maxWaitSeconds: {
    check: integerRule(receiveWaitSeconds.min, receiveWaitSeconds.max),
    default: 60,
  },
  retryDelaysSeconds: {
    check: listOf(choiceRule(...releaseDelaySeconds), {
      of: "delays in seconds",
      whenEmpty: "is empty: it needs the delay after the first delivery",
    }),
    default: retryDelaysSeconds,
  },
  attemptTimeoutMs: { check: durationMs, default: 20_000 },
  drainTimeoutMs: { check: delayMs, default: 25_000 },
  health: { check: healthCheck },
  ...transportOptions,
  ...processOptions,
} satisfies OptionTable<ReceiverOptions>;

const check = checkOf<ReceiverOptions>(receiverOptions);

export type Queue = ReturnType<typeof receiverSettings>["queue"];

export type ReceiverSettings = ReturnType<typeof receiverSettings>;

/**
 * Checks binding, handlers and options together, and fills in the defaults.
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function receiverSettings(
  rawBinding: PullRuntimeBinding,
  options: AnyCatalogue<ReceiverOptions>,
) {
  const binding = checkedBinding(rawBinding, options);
  const { eventSubscriptionName, receiveWith } = binding;
  const service = namespaceService(binding, {
    authenticatesWith: receiveWith,
    path: `/eventsubscriptions/${eventSubscriptionName}`,
    role: "EventGrid Data Receiver on the namespace (not only on the topic)",
    fields: "topicName and eventSubscriptionName",
  });
  const { hostname, port } = service.endpoint;
  const { health, ...settings } = withDefaults(receiverOptions, options);
  return {
    queue: {
      ...service,
      subscriptionName: eventSubscriptionName,
      subscriptionKey: eventSubscriptionName.toLowerCase(),
      /** In attributes of OpenTelemetry's semantic conventions. */
      destination: {
        "messaging.destination.name": binding.topicName,
        "messaging.destination.subscription.name": eventSubscriptionName,
        "server.address": hostname,
        ...(port !== "" && { "server.port": Number(port) }),
      },
      lockMs: binding.receiveLockSeconds * SECOND_MS,
    },
    name: binding.name,
    ...settings,
    health: health && { port: health.port, host: health.host ?? "0.0.0.0" },
  } as const;
}

function checkedBinding(
  binding: PullRuntimeBinding,
  options: AnyCatalogue<ReceiverOptions>,
): ServicePullBinding {
  // The key may be an option of the receiver.
  const parsed = parsePullBinding(binding, { supplied: ["accessKey"] });
  const problems: Problem[] = [...problemsOf(check, "", options)];
  if (isObject(options)) {
    problems.push(
      ...handlerProblems(options.on, options.events),
      ...serviceProblems(binding, options, "receiveWith", "entra"),
    );
  }
  if (Array.isArray(parsed) || problems.length > 0) {
    const ofBinding = Array.isArray(parsed) ? parsed : [];
    throw new ConfigurationError("The receiver cannot be created", [...ofBinding, ...problems]);
  }
  return parsed;
}
