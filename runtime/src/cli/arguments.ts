import { parseArgs } from "node:util";
import { cloudEnvironments, isCloudEnvironmentName } from "../binding/cloud-environment.js";
import { isLoopback, readUrl, registeredEndpoint } from "../binding/endpoint.js";
import { shownValue } from "../binding/shown-value.js";
import type { ProbeOptions } from "./probe.js";

/** What the arguments of `probe` say. */
export interface ProbeArguments {
  /** The URL as Event Grid would call it: without a path it gets /api/events. */
  readonly url: URL;
  readonly json: boolean;
  readonly options: Pick<
    ProbeOptions,
    "attempts" | "interval" | "timeout" | "attemptTimeout" | "connectTo" | "origin"
  >;
}

/** Arguments that cannot be understood; told to the user together with how to get help. */
export class UsageError extends Error {}

/** How `probe` is used. */
export const PROBE_HELP = `Usage: cloud-eventgrid probe <url> [options]

Does the handshake that Event Grid does before it delivers to a webhook, and explains what it met.

Options:
  --timeout <seconds>   try again until so much time has passed in all
  --attempts <number>   try again until so many handshakes have failed
                        (without either of the two: one handshake)
  --interval <seconds>  time between two handshakes (default 5)
  --attempt-timeout <seconds>
                        time that one handshake may take (default 10)
  --cloud <name>        public, usgovernment or china (default public)
  --connect-to <host:port>
                        connect there; the URL still tells the name and the certificate's
  --url-env <variable>  take the URL from an environment variable
  --json                print one JSON object instead of text
  --help                print this

Exit codes:
   0  the webhook consents
   1  the probe itself failed
   2  the arguments are wrong
  10  the host name is not found          20  502, 503 or 504: not available
  11  the connection is refused           21  401 or 403: authentication required
  12  no answer in time                   22  a redirect
  13  the certificate is not trusted      23  404 or 405: wrong path
  14  not HTTPS                           24  no consent in the answer
                                          25  another status
`;

const MAX_ATTEMPTS = 1000;
const DAY = 86_400;

/** @throws {UsageError} telling what is wrong */
export function readProbeArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ProbeArguments {
  const { values, positionals } = parse(args);
  const cloud = values.cloud ?? "public";
  if (!isCloudEnvironmentName(cloud)) {
    const names = Object.keys(cloudEnvironments).join(", ");
    throw new UsageError(`--cloud must be one of ${names}, but is ${shownValue(cloud)}`);
  }
  const [origin = "eventgrid.azure.net"] = cloudEnvironments[cloud].handshakeOrigins;
  const once = values.timeout === undefined && values.attempts === undefined;
  const connectTo = values["connect-to"];
  return {
    url: urlOf(positionals, values["url-env"], env),
    json: values.json ?? false,
    options: {
      origin,
      attempts: once ? 1 : attemptsOf(values.attempts),
      interval: 1000 * numberOf("--interval", values.interval ?? "5", 0, DAY),
      timeout: 1000 * numberOf("--timeout", values.timeout ?? `${DAY}`, 1, DAY),
      attemptTimeout:
        1000 * numberOf("--attempt-timeout", values["attempt-timeout"] ?? "10", 1, 300),
      ...(connectTo !== undefined && { connectTo: addressOf(connectTo) }),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        timeout: { type: "string" },
        attempts: { type: "string" },
        interval: { type: "string" },
        "attempt-timeout": { type: "string" },
        cloud: { type: "string" },
        "connect-to": { type: "string" },
        "url-env": { type: "string" },
        json: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function urlOf(
  positionals: readonly string[],
  variable: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): URL {
  const [given, ...more] = positionals;
  const text = variable === undefined ? given : env[variable];
  if (more.length > 0 || (variable !== undefined && given !== undefined)) {
    throw new UsageError("one URL can be probed at a time");
  }
  if (text === undefined || text === "") {
    throw new UsageError(
      variable === undefined ? "the webhook's URL is missing" : `${variable} is not set`,
    );
  }
  const url = readUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`the webhook must be an https URL, but is ${shownValue(text)}`);
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new UsageError(
      `Event Grid calls https webhooks only, but this is ${shownValue(text)} ` +
        "(http is probed on this machine itself)",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("the webhook's URL must not contain credentials");
  }
  return new URL(registeredEndpoint(text));
}

function attemptsOf(text = `${MAX_ATTEMPTS}`): number {
  const number = numberOf("--attempts", text, 1, MAX_ATTEMPTS);
  if (Number.isInteger(number)) return number;
  throw new UsageError(`--attempts must be a whole number, but is ${shownValue(text)}`);
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${name} must be from ${least} to ${most}, but is ${shownValue(text)}`);
}

function addressOf(text: string): { host: string; port: number } {
  const [, host, port] = /^(\[[\da-fA-F:.]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new UsageError(`--connect-to must be host:port, but is ${shownValue(text)}`);
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}
