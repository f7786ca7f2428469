import type { Attributes, TracerProvider } from "@opentelemetry/api";
import {
  Deduplication,
  type DeduplicationKey,
  deduplicationKey,
  MemoryDeduplication,
} from "../deduplication/index.js";
import type { EventCatalogue } from "../events/index.js";
import type { Log } from "../observability/index.js";
import type { Timer } from "../time.js";
import type { ExpectedSource } from "./expected-source.js";
import { HandlerSlots, HandlerTable } from "./handlers.js";
import type { HandlingMetrics } from "./metrics.js";
import type { HandlingSettings } from "./options.js";

export interface EventDependencies {
  readonly handlers: HandlerTable;
  readonly unhandled: "acknowledge" | "retry" | "reject";
  readonly schemas: EventCatalogue["schemas"] | undefined;
  readonly slots: HandlerSlots;
  /** `undefined` where events cannot come from elsewhere. */
  readonly expectedSource: ExpectedSource | undefined;
  readonly deduplicationKey: DeduplicationKey;
  /** `undefined` when handled events are not remembered. */
  readonly deduplication: Deduplication | undefined;
  readonly metrics: HandlingMetrics;
  readonly timer: Timer;
  readonly tracerProvider: TracerProvider | undefined;
  /** Where the events were published, in attributes of OpenTelemetry's semantic conventions. */
  readonly destination: Attributes;
}

/** What a listener and a receiver do not have in common. */
interface Surroundings
  extends Pick<EventDependencies, "expectedSource" | "metrics" | "timer" | "destination"> {
  readonly concurrentHandlers: number;
  /** See {@link EventKey}. */
  readonly consumer: string;
  /** Timeout of the deduplication store's calls. */
  readonly storeTimeoutMs: number;
  readonly log: Log;
}

export function eventDependencies(
  settings: HandlingSettings,
  { concurrentHandlers, consumer, storeTimeoutMs, log, ...others }: Surroundings,
): EventDependencies {
  const { deduplication: store = new MemoryDeduplication() } = settings;
  const { timer } = others;
  return {
    handlers: new HandlerTable(settings.on, settings.use),
    unhandled: settings.unhandled,
    schemas: settings.events?.schemas,
    slots: new HandlerSlots(concurrentHandlers, timer),
    deduplicationKey: deduplicationKey(settings.deduplicationKey),
    deduplication:
      store === false ? undefined : new Deduplication(store, consumer, storeTimeoutMs, timer, log),
    tracerProvider: settings.telemetry?.tracerProvider,
    ...others,
  };
}
