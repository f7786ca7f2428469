import { CloudEventGridError } from "../errors.js";
import type { CloudEvent } from "../events/index.js";
import type { EventContext, EventHandler } from "./event-context.js";

/**
 * Runs around handlers, in the event's span, after the caller and the payload were checked and
 * duplicates sorted out.
 *
 * The event counts as handled only if `next` was called and succeeded, or if the middleware returns
 * `"handled"`. If it catches what `next` throws and returns anything else, the event fails all the
 * same. `next` rejects when the deadline has passed, and the handler does not start.
 *
 * @typeParam Added values that it passes to `next`, for the context of later middleware and handlers
 * @typeParam Needed values in the context that earlier middleware has added
 *
 * @example
 * ```ts
 * const tenancy: Middleware<{ tenant: string }> = async (event, context, next) => {
 *   await next({ tenant: await tenantOf(event.source) });
 * };
 * ```
 */
export type Middleware<Added extends object = object, Needed extends object = object> = (
  event: CloudEvent,
  context: EventContext & Needed,
  next: (...added: NextArguments<Added>) => Promise<void>,
) => unknown;

/** Values may replace nothing of the context. */
type NextArguments<Added extends object> = object extends Added
  ? [added?: Added]
  : [added: keyof Added & keyof EventContext extends never ? Added : never];

/** Middleware, whatever it adds and needs. */
export type AnyMiddleware = {
  // A method, which TypeScript checks bivariantly: more may be needed of the context and for `next`.
  use(event: CloudEvent, context: EventContext, next: (added?: object) => Promise<void>): unknown;
}["use"];

/** What all middleware of a list adds to the context. */
export type AddedBy<M extends readonly unknown[]> = M extends readonly [infer First, ...infer Rest]
  ? Adds<First> & AddedBy<Rest>
  : object;

type Adds<M> = M extends (event: never, context: never, next: infer Next) => unknown
  ? Next extends (added: infer Added) => unknown
    ? Exclude<Added, undefined> & object
    : object
  : object;

/** Accepts a list in which middleware needs nothing but what is added before it. */
export type InOrder<M extends readonly unknown[], Before = EventContext> = M extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends (event: never, context: Before, next: never) => unknown
    ? InOrder<Rest, Before & Adds<First>>
    : Misplaced
  : unknown;

/** Shown by the compiler. */
type Misplaced = "needs values that no middleware before it adds";

/**
 * Thrown when middleware neither called `next` nor returned `"handled"`, called `next` twice or after
 * it had ended, or tried to replace a property of the context. The event is delivered again.
 */
export class MiddlewareError extends CloudEventGridError {
  readonly code = "ERR_MIDDLEWARE";
}

/**
 * A handler with middleware around it, in order.
 *
 * @example
 * ```ts
 * const on = { "shop.order.placed": withMiddleware([tenancy], (event, { tenant }) => …) };
 * ```
 */
export function withMiddleware<
  const M extends readonly AnyMiddleware[],
  Event extends CloudEvent = CloudEvent,
>(use: M & InOrder<M>, handler: EventHandler<Event, AddedBy<M>>): EventHandler<Event> {
  return around(use, handler);
}

/** The handler itself if there is no middleware. */
export function around(use: readonly AnyMiddleware[], handler: EventHandler): EventHandler {
  return use.reduceRight(wrap, handler);
}

function wrap(inner: EventHandler, middleware: AnyMiddleware): EventHandler {
  const failure = (what: string, advice: string) =>
    new MiddlewareError(`middleware ${middleware.name || "without a name"} ${what}: ${advice}`);

  return async (event, context) => {
    let inside: Promise<void> | undefined;
    let mistake: MiddlewareError | undefined;
    let hasEnded = false;
    const next = (added?: object): Promise<void> => {
      if (inside !== undefined || hasEnded) {
        mistake ??= failure(
          hasEnded ? "called next after it had ended" : "called next twice",
          "await next() once",
        );
        return observed(Promise.reject(mistake));
      }
      inside = observed(proceed(added));
      return inside;
    };
    const proceed = async (added: object = {}) => {
      context.signal.throwIfAborted();
      for (const name of Object.keys(added)) {
        if (!Object.hasOwn(ownNames, name)) continue;
        mistake = failure(`tried to replace ${name} of the context`, "choose a different name");
        throw mistake;
      }
      await inner(event, Object.create(context, Object.getOwnPropertyDescriptors(added)));
    };

    let result: unknown;
    try {
      result = await middleware(event, context, next);
    } finally {
      hasEnded = true;
      // The event keeps its handler slot until the handler has ended, even if nobody awaited it.
      await inside?.catch(() => {});
    }
    if (mistake !== undefined) throw mistake;
    if (result === "handled") return;
    if (inside === undefined) {
      throw failure("did not call next", 'call it, or return "handled" to acknowledge the event');
    }
    await inside;
  };
}

/**
 * Keeps Node from ending the process when middleware drops the promise of `next`, or one that it derives
 * from it: `void next().then(…)`. Only if `next` fails, of which the event has a record of its own.
 */
function observed<T>(promise: Promise<T>, nexts: Promise<unknown> = promise): Promise<T> {
  // Registered before any callback of the middleware, and so called before Node looks for handlers.
  nexts.catch(() => void promise.catch(() => {}));
  const derive: Promise<T>["then"] = (onFulfilled, onRejected) =>
    observed(promise.then(onFulfilled, onRejected), nexts);
  return new Proxy(promise, {
    get: (target, name) => (name === "then" ? derive : Reflect.get(target, name)),
  });
}

const ownNames: Readonly<Record<keyof EventContext, true>> = {
  signal: true,
  attempt: true,
  subscriptionName: true,
  deduplicationKey: true,
  batchIndex: true,
  batchSize: true,
  json: true,
  log: true,
  caller: true,
};
