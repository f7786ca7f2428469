/** Whether something has to be waited for: to wait for what is there already costs time, too. */
export function isPromise<T>(value: T): value is T & PromiseLike<Awaited<T>> {
  return typeof value === "object" && value !== null && "then" in value;
}
