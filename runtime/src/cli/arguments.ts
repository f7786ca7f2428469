import { cloudEnvironments, isCloudEnvironmentName } from "../binding/cloud-environment.js";
import { isLoopback, readUrl, registeredEndpoint } from "../binding/endpoint.js";
import { shownValue } from "../binding/shown-value.js";
import { readCommandLine } from "./command-line.js";
import type { ProbeOptions } from "./probe.js";

/** What the arguments of `probe` say. */
export interface ProbeArguments {
  /** The URL as Event Grid would call it: without a path it gets /api/events. */
  readonly url: URL;
  /** Whether the path is not the one that was given, but the default one. */
  readonly pathAdded: boolean;
  readonly json: boolean;
  readonly options: Pick<
    ProbeOptions,
    "attempts" | "interval" | "timeout" | "attemptTimeout" | "connectTo" | "origin"
  >;
}

/** Arguments that cannot be understood, all of them; told together with how to get help. */
export class UsageError extends Error {
  constructor(readonly problems: readonly string[]) {
    const list = problems.map((problem) => `\n  - ${problem}`).join("");
    super(
      problems.length === 1
        ? problems[0]
        : `the arguments have ${problems.length} problems:${list}`,
    );
  }
}

const MAX_ATTEMPTS = 1000;
const DAY = 86_400;

const FLAGS = {
  timeout: "string",
  attempts: "string",
  interval: "string",
  "attempt-timeout": "string",
  cloud: "string",
  "connect-to": "string",
  "url-env": "string",
  json: "boolean",
} as const;

/** @throws {UsageError} telling everything that is wrong */
export function readProbeArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ProbeArguments {
  const problems: string[] = [];
  const { texts, switches, positionals } = readCommandLine(args, FLAGS, problems);
  const { timeout, attempts, interval = "5", cloud = "public" } = texts;
  const once = timeout === undefined && attempts === undefined;
  const seconds = (name: string, text: string, least: number, most: number) =>
    1000 * numberOf(name, text, least, most, problems);
  const options = {
    attempts: once ? 1 : attemptsOf(attempts, problems),
    interval: seconds("--interval", interval, 0, DAY),
    timeout: seconds("--timeout", timeout ?? `${DAY}`, 1, DAY),
    attemptTimeout: seconds("--attempt-timeout", texts["attempt-timeout"] ?? "10", 1, 300),
    origin: originOf(cloud, problems),
    ...addressOf(texts["connect-to"], problems),
  };
  const given = urlOf(positionals, texts["url-env"], env, problems);
  if (given === undefined || problems.length > 0) throw new UsageError(problems);
  const url = new URL(registeredEndpoint(given.href));
  const json = switches.has("json");
  return { url, pathAdded: url.pathname !== given.pathname, json, options };
}

function originOf(cloud: string, problems: string[]): string {
  const [standard = ""] = cloudEnvironments.public.handshakeOrigins;
  if (isCloudEnvironmentName(cloud))
    return cloudEnvironments[cloud].handshakeOrigins[0] ?? standard;
  const names = Object.keys(cloudEnvironments).join(", ");
  problems.push(`--cloud must be one of ${names}, but is ${shownValue(cloud)}`);
  return standard;
}

function urlOf(
  [given, ...more]: readonly string[],
  variable: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): URL | undefined {
  if (more.length > 0 || (variable !== undefined && given !== undefined)) {
    problems.push("one URL can be probed at a time");
    return undefined;
  }
  const text = variable === undefined ? given : env[variable];
  if (text === undefined || text === "") {
    problems.push(
      variable === undefined ? "the webhook's URL is missing" : `${variable} is not set`,
    );
    return undefined;
  }
  const url = readUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    problems.push(`the webhook must be an https URL, but is ${shownValue(text)}`);
    return undefined;
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    problems.push(
      `Event Grid calls https webhooks only, but this is ${shownValue(text)} ` +
        "(http is probed on this machine itself)",
    );
  }
  if (url.username !== "" || url.password !== "") {
    problems.push("the webhook's URL must not contain credentials");
  }
  return url;
}

function attemptsOf(text = `${MAX_ATTEMPTS}`, problems: string[]): number {
  const number = numberOf("--attempts", text, 1, MAX_ATTEMPTS, problems);
  if (!Number.isInteger(number)) {
    problems.push(`--attempts must be a whole number, but is ${shownValue(text)}`);
  }
  return number;
}

function numberOf(
  name: string,
  text: string,
  least: number,
  most: number,
  problems: string[],
): number {
  const number = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  problems.push(`${name} must be from ${least} to ${most}, but is ${shownValue(text)}`);
  return least;
}

function addressOf(text: string | undefined, problems: string[]): Pick<ProbeOptions, "connectTo"> {
  if (text === undefined) return {};
  const [, host, port] = /^(\[[\da-fA-F:.]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    problems.push(`--connect-to must be host:port, but is ${shownValue(text)}`);
    return {};
  }
  return { connectTo: { host: host.replace(/^\[|\]$/g, ""), port: Number(port) } };
}
