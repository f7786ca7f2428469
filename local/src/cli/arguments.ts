import { readCommandLine } from "./command-line.js";
import { type Configuration, checkConfiguration } from "./configuration.js";

export const DEFAULT_DIRECTORY = ".cloud-eventgrid-local";
export const DEFAULT_CONFIGURATION_FILE = "cloud-eventgrid-local.json";

export const usage = `cloud-eventgrid-local: a local Azure for Event Grid

Usage
  cloud-eventgrid-local [start] [options]   start and run until interrupted
  cloud-eventgrid-local env [options]       print environment variables for the running one:
                                            eval "$(cloud-eventgrid-local env)"

Options of start
  --config FILE              configuration as JSON (default: ${DEFAULT_CONFIGURATION_FILE}, if it exists)
  --port PORT                HTTP port (default: a free port)
  --https-port PORT          HTTPS port (default: a free port)
  --ingress PUBLIC=TARGET    https://orders.example.com=http://127.0.0.1:9000; repeatable
  --topic NAME               create a custom topic at the start; repeatable
  --tenant-id ID             (default: 11111111-1111-4111-8111-111111111111)
  --subscription-id ID       (default: 22222222-2222-4222-8222-222222222222)
  --clock-scale N            N seconds of retries and timeouts pass in one second
  --quiet                    print no line for each handshake and delivery

Options of both
  --directory DIR            certificates and dead letters (default: ${DEFAULT_DIRECTORY})

Options of env
  --json                     print a JSON object instead of export lines

  --help, --version
`;

export type Command =
  | { readonly name: "help" }
  | { readonly name: "version" }
  | { readonly name: "env"; readonly directory: string; readonly json: boolean }
  | {
      readonly name: "start";
      readonly configFile: string | undefined;
      readonly quiet: boolean;
      /** Settings from flags, which override the configuration file. */
      readonly flags: Configuration;
    };

/** @throws ConfigurationError with every problem */
export function readArguments(argv: readonly string[]): Command {
  const problems: string[] = [];
  const { values, positionals } = readCommandLine(argv, FLAGS, problems);
  if (values.help) return { name: "help" };
  if (values.version) return { name: "version" };
  const [name = "start", ...rest] = positionals;
  if (rest.length > 0 || (name !== "start" && name !== "env")) {
    problems.push(`'${positionals.join(" ")}' is not a command; the commands are start and env`);
  }
  const flags = {
    ...present("tenantId", values["tenant-id"]),
    ...present("subscriptionId", values["subscription-id"]),
    ...present("directory", values.directory),
    ...present("port", numberOf("--port", values.port, 0, 65_535, problems)),
    ...present("httpsPort", numberOf("--https-port", values["https-port"], 0, 65_535, problems)),
    ...present("clock", clockOf(values["clock-scale"], problems)),
    ...present("ingress", ingressOf(values.ingress, problems)),
    ...present(
      "topics",
      values.topic?.map((topic) => ({ name: topic })),
    ),
  };
  const checked = checkConfiguration(flags, SOURCE, problems);
  if (name === "env") {
    const { directory = DEFAULT_DIRECTORY, json = false } = values;
    return { name, directory, json };
  }
  const { config: configFile, quiet = false } = values;
  return { name: "start", configFile, quiet, flags: checked };
}

const SOURCE = "The command line";

const FLAGS = {
  config: { type: "string" },
  port: { type: "string" },
  "https-port": { type: "string" },
  ingress: { type: "string", multiple: true },
  topic: { type: "string", multiple: true },
  "tenant-id": { type: "string" },
  "subscription-id": { type: "string" },
  "clock-scale": { type: "string" },
  directory: { type: "string" },
  json: { type: "boolean" },
  quiet: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

function present<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  const empty: { [P in K]?: V } = {};
  return value === undefined ? empty : { ...empty, [name]: value };
}

function numberOf(
  flag: string,
  given: string | undefined,
  least: number,
  most: number,
  problems: string[],
): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (given !== "" && Number.isInteger(number) && number >= least && number <= most) return number;
  problems.push(`${flag} must be a whole number from ${least} to ${most}, not '${given}'`);
  return undefined;
}

function clockOf(given: string | undefined, problems: string[]): Configuration["clock"] {
  const scale = numberOf("--clock-scale", given, 1, 100_000, problems);
  return scale === undefined ? undefined : { scale };
}

function ingressOf(given: readonly string[] | undefined, problems: string[]) {
  if (given === undefined) return undefined;
  const table: Record<string, string> = {};
  for (const each of given) {
    const at = each.indexOf("=");
    if (at > 0) table[each.slice(0, at)] = each.slice(at + 1);
    else problems.push(`--ingress must be PUBLIC=TARGET, not '${each}'`);
  }
  return table;
}
