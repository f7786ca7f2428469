import type { RuleName } from "../errors.js";
import {
  choiceRule,
  integerRule,
  patternRule,
  predicateRule,
  type Rule,
} from "../validation/index.js";
import { AZURE_LIMITS } from "./limits.js";
import {
  anchored,
  HTTPS_URL,
  PORT,
  PRINTABLE,
  ROUTE_PATH,
  SCOPE,
  SERVICE_URL,
  UUID,
} from "./patterns.js";
import type { InputRuntimeBinding } from "./props.js";
import { explainScope, SCOPE_SHAPES } from "./scope.js";

/** Path of a webhook or of a topic's endpoint whose URL has none. */
export const DEFAULT_EVENTS_PATH = "/api/events";

/**
 * The URL that is called for a `subscriberEndpoint` or a `topicEndpoint`: in its normal form, and
 * with the path `/api/events` when it has none.
 *
 * @throws {TypeError} when the text is not a URL, which the rules of both fields exclude
 */
export function eventsUrl(text: string): URL {
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = DEFAULT_EVENTS_PATH;
  return url;
}

/**
 * The path that a listener serves: its own, or the one of the webhook's URL. Neither has to be set
 * before the binding is validated.
 */
export function webhookPath({
  path,
  subscriberEndpoint,
}: Pick<InputRuntimeBinding, "path" | "subscriberEndpoint">): string {
  return path ?? eventsUrl(String(subscriberEndpoint)).pathname;
}

/** Reports whether a URL's host is this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    // A host of digits and dots only is an IPv4 address in its usual form.
    (hostname.startsWith("127.") && !/[^\d.]/.test(hostname))
  );
}

const { namespaceNameCharacters, receiveLockSeconds } = AZURE_LIMITS;

/**
 * A UUID in its usual form of 36 characters, in either case.
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-4
 */
export const uuidRule = patternRule({
  requirement: { uuid: "must be a UUID such as 11111111-2222-3333-4444-555555555555" },
  pattern: anchored(UUID),
});

/** An access key or a client secret. */
export const secretRule = patternRule({
  requirement: { secret: "must be printable ASCII characters without white space" },
  pattern: anchored(`${PRINTABLE}+`),
  secret: true,
});

/** The URL of a service that is called: a topic, or a token issuer. */
export const serviceUrlRule = urlRule({
  requirement: {
    "loopback-or-https-url":
      "must be an https URL without a query (http only for this machine, such as http://127.0.0.1:8080)",
  },
  pattern: anchored(SERVICE_URL),
  explain: (value, shown) =>
    explainUrl(value, shown) ??
    (isHttpUrl(value) && value.includes("?") ? `${shown} has a query` : undefined),
});

/** The endpoint of a topic that is not part of a namespace. */
export const topicEndpointRule = endpointRule(
  /^([/]api[/]events)?[/]*$/i,
  `that of a topic is ${DEFAULT_EVENTS_PATH}. For a topic of a namespace, pass the namespace's own ` +
    "URL as namespaceEndpoint, and topicName",
);

export const namespaceEndpointRule = endpointRule(
  /^[/]*$/,
  "the endpoint of a namespace has none. A topic that is not part of a namespace belongs in topicEndpoint",
);

/** The name of a namespace, of one of its topics, or of an event subscription of such a topic. */
export const namespaceNameRule = hyphenatedName("namespace-name", namespaceNameCharacters);

/** How long a received event is locked, in seconds. */
export const receiveLockRule = integerRule(receiveLockSeconds.min, receiveLockSeconds.max);

/** @see https://learn.microsoft.com/azure/event-grid/end-point-validation-cloud-events-schema */
export const webhookUrlRule = urlRule({
  requirement: {
    "https-url": "must be an https URL with a host, such as https://orders.example.com/api/events",
  },
  pattern: anchored(HTTPS_URL),
});

/** A port as text. */
export const portRule = patternRule({
  requirement: { port: 'must be a string holding a port number from "1" to "65535"' },
  pattern: anchored(PORT),
  explain: (value, shown) =>
    typeof value === "number" ? `is the number ${shown}: put it in quotes` : undefined,
});

/**
 * The resource of an event subscription.
 * @see https://learn.microsoft.com/azure/event-grid/concepts#event-subscriptions
 */
export const scopeRule = patternRule({
  requirement: { scope: `must be ${SCOPE_SHAPES}` },
  pattern: anchored(SCOPE),
  explain: explainScope,
});

/** A path that one route can serve. */
export const routePathRule = predicateRule({
  requirement: { path: "must be the path of a URL, such as /api/events, without a query and *" },
  test: isRoutePath,
});

export const nameRule = patternRule({
  requirement: { name: "must be 1 to 256 printable ASCII characters without white space" },
  pattern: `^${PRINTABLE}{1,256}$`,
});

/** How a service authenticates to a topic: `publishWith` and `receiveWith`. */
export const publishWithRule = choiceRule("accessKey", "entra");

/** The rule of the prefix of a binding's environment variables. */
export const environmentPrefixRule = patternRule({
  requirement: {
    "environment-prefix":
      'must be upper-case letters, digits and single underscores, such as "ORDERS"',
  },
  pattern: "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$",
});

/** A rule for names of as many characters as Azure allows. */
export function hyphenatedName(
  name: RuleName,
  { min, max }: { readonly min: number; readonly max: number },
): Rule {
  const rule = patternRule({
    requirement: { name: `must be ${min} to ${max} letters, digits and hyphens` },
    pattern: `^[0-9a-zA-Z-]{${min},${max}}$`,
  });
  return { ...rule, name };
}

/** A URL that matches its pattern can be parsed, except for a host with invalid punycode. */
function urlRule(text: Parameters<typeof patternRule>[0]): Rule {
  const rule = patternRule({ explain: explainUrl, ...text });
  return { ...rule, test: (value) => rule.test(value) && URL.canParse(String(value)) };
}

/** Hosts of which the paths are known. Gateways and the local Azure may have others. */
const EVENT_GRID_HOSTS = [".eventgrid.azure.net", ".eventgrid.azure.us", ".eventgrid.azure.cn"];

/**
 * A rule for the URL of a service of Event Grid.
 *
 * @param advice follows the path in the message about one that does not match
 */
function endpointRule(path: RegExp, advice: string): Rule {
  const wrongPath = (value: unknown) => {
    if (!serviceUrlRule.test(value)) return undefined;
    const { hostname, pathname } = new URL(String(value));
    const isKnown = EVENT_GRID_HOSTS.some((end) => hostname.endsWith(end));
    return isKnown && !path.test(pathname) ? pathname : undefined;
  };
  return {
    ...serviceUrlRule,
    test: (value) => serviceUrlRule.test(value) && wrongPath(value) === undefined,
    explain(value, shown) {
      const wrong = wrongPath(value);
      return wrong === undefined
        ? serviceUrlRule.explain?.(value, shown)
        : `${shown} has the path ${wrong}: ${advice}`;
    },
  };
}

function explainUrl(value: unknown, shown: string): string | undefined {
  if (!isHttpUrl(value)) return undefined;
  if (/^[a-z]+:[/][/][^/?#]*@/i.test(value)) return `${shown} contains credentials`;
  return value.includes("#") ? `${shown} has a fragment` : undefined;
}

function isHttpUrl(value: unknown): value is string {
  return typeof value === "string" && /^https?:[/][/][^/]/i.test(value);
}

const servedPath = new RegExp(anchored(ROUTE_PATH));

function isRoutePath(value: unknown): boolean {
  if (typeof value !== "string" || !servedPath.test(value)) return false;
  try {
    // Escaped, it would be a wildcard of Fastify's router as well.
    return !decodeURI(value).includes("*");
  } catch {
    return false;
  }
}
