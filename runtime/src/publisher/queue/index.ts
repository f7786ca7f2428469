/**
 * The way of a call from `create` to its outcome.
 *
 *     create ──► queued ──► in flight ──► accepted
 *                    ▲          │  │
 *                    │          │  └────► failed
 *                 retrying ◄────┘
 *
 * - *queued*: the events wait for one of the few requests at a time.
 * - *in flight*: a `Batch` of events is sent in one request, and shares its outcome. A batch that the
 *   topic refuses because of its content is split by calls, until the call at fault is alone.
 * - *retrying*: the batch waits for its next attempt, and is then sent before the queue.
 *
 * While a {@link Throttle} holds back all requests, events stay queued. A {@link Call} is settled when
 * all of its events are accepted or failed. It may be given up in every state, by its timeout or its
 * signal: its events are not sent any more, and a request without other callers is cancelled.
 */
export { BatchSender } from "./batch-sender.js";
export { Call } from "./call.js";
export { Throttle } from "./throttle.js";
