/**
 * Something that is there, or is to come.
 *
 * What is mostly there at once is not put into promises: for a batch they would cost more than all
 * the rest that is done with its events.
 */
export type Awaitable<T> = T | PromiseLike<T>;

/** Whether something has to be waited for. */
export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  if (typeof value !== "object" && typeof value !== "function") return false;
  return value !== null && "then" in value;
}

/**
 * Goes on with a value: at once where it is there.
 *
 * @param given what the next step needs besides: what is done for every event hands it on, as a
 * closure for each would cost more than most steps do
 */
export function after<T, Next>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Next>,
): Awaitable<Next>;
export function after<T, Next, Given>(
  value: Awaitable<T>,
  next: (value: T, given: Given) => Awaitable<Next>,
  given: Given,
): Awaitable<Next>;
export function after<T, Next, Given>(
  value: Awaitable<T>,
  next: (value: T, given?: Given) => Awaitable<Next>,
  given?: Given,
): Awaitable<Next> {
  if (!isPromise(value)) return next(value, given);
  return Promise.resolve(value).then((value) => next(value, given));
}

/** What an async function does by `try` and `catch`, but at once where it can be. */
export function caught<T, Given>(
  act: (given: Given) => Awaitable<T>,
  failed: (error: unknown, given: Given) => Awaitable<T>,
  given: Given,
): Awaitable<T> {
  try {
    const result = act(given);
    if (!isPromise(result)) return result;
    return Promise.resolve(result).then(undefined, (error) => failed(error, given));
  } catch (error) {
    return failed(error, given);
  }
}
