/**
 * The HTTP client, loaded when it is needed first: it is half of the code that a service loads, and
 * listeners without a proxy do not wait for it.
 */
export function undici(): typeof import("undici") {
  return require("undici");
}
