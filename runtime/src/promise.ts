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

/** Goes on with a value: at once where it is there. */
export function after<T, Next>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Next>,
): Awaitable<Next> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** What an async function does by `try` and `catch`, but at once where it can be. */
export function caught<T>(
  act: () => Awaitable<T>,
  failed: (error: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const result = act();
    return isPromise(result) ? Promise.resolve(result).then(undefined, failed) : result;
  } catch (error) {
    return failed(error);
  }
}
