/**
 * The HTTP client, loaded by the first publisher that needs it: it is half of the code that a service
 * loads, and services that only receive do not wait for it.
 */
export function undici(): typeof import("undici") {
  return require("undici");
}
