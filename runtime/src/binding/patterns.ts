/**
 * Regular expressions of the binding's fields. The Terraform module repeats them: they are written in
 * the syntax that JavaScript and Terraform (RE2) share, without flags and backslashes.
 */

const HEX = "[0-9a-fA-F]";

/** A UUID of 36 characters, in either case. */
export const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`;

/** A port from 1 to 65535, without leading zeros. */
export const PORT =
  "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";

const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/** An IPv4 address in decimal. */
export const IPV4 = `${OCTET}([.]${OCTET}){3}`;
const LABEL = "[a-zA-Z0-9_]([a-zA-Z0-9_-]*[a-zA-Z0-9_])?";
/** The URL standard reads a last label that begins with a digit as part of an IPv4 address. */
const DOMAIN = `(${LABEL}[.])*[a-zA-Z]([a-zA-Z0-9_-]*[a-zA-Z0-9_])?`;
const HOST = `(${DOMAIN}|${IPV4}|[[]::1])`;
const LOOPBACK = `((${LABEL}[.])*${anyCase("localhost")}|127([.]${OCTET}){3}|[[]::1])`;

/** The characters of RFC 3986, section 3.3, so that no placeholder such as {tenant} slips through. */
const PATH = `/([A-Za-z0-9._~!$&'()*+,;=:@/-]|%${HEX}{2})*`;
/** Printable ASCII characters except the space and the characters " # < >. */
const QUERY = "[?][!$-;=?-~]*";

/** An https URL without credentials and fragment. */
export const HTTPS_URL = `${anyCase("https")}://${HOST}(:${PORT})?(${PATH})?(${QUERY})?`;
/** An https URL without credentials, query and fragment, or an http URL of this machine. */
export const SERVICE_URL =
  `(${anyCase("https")}://${HOST}|${anyCase("http")}://${LOOPBACK})` + `(:${PORT})?(${PATH})?`;

/** A path that one route can serve: without a query, and without *, which would match any path. */
export const ROUTE_PATH = `/([A-Za-z0-9._~!$&'()+,;=:@/-]|%${HEX}{2})*`;

/** A segment of a resource identifier: ASCII, but names of resource groups may have letters of any script. */
const NAME = "[A-Za-z0-9._()À-ῼぁ-힣-]+";

/** One of the four forms of a scope; slashes at either end do not matter. */
export const SCOPE =
  `/*${anyCase("subscriptions")}/${UUID}(/${anyCase("resourceGroups")}/${NAME}` +
  `(/${anyCase("providers")}/${NAME}/${NAME}/${NAME})?)?/*`;

/** Printable ASCII without white space: HTTP headers carry secrets and names. */
export const PRINTABLE = "[!-~]";

/** A pattern that the whole text has to match. */
export function anchored(pattern: string): string {
  return `^${pattern}$`;
}

/** A word in any case. A flag would let the Kelvin sign pass for a K in one of the two engines. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
