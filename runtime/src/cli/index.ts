/**
 * The `cloud-eventgrid` command. It loads neither the listener nor the publisher, so that it
 * starts at once.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readProbeArguments, UsageError } from "./arguments.js";
import { EXIT_CODES } from "./outcome.js";
import { type ProbeOptions, probe } from "./probe.js";
import { PROBE_HELP } from "./probe-help.js";
import { addedPathLine, attemptLine, explanation, jsonReport } from "./report.js";

/** What the command reads and writes, so that a test can stand in for a terminal. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

const HELP = `Usage: cloud-eventgrid <command>

Commands:
  probe <url>   do Event Grid's handshake with a webhook, and explain what it met

cloud-eventgrid probe --help tells more; cloud-eventgrid --version tells the version.
`;

const USAGE_EXIT_CODE = 2;

/**
 * Runs the command.
 *
 * @param args the arguments after the program's name
 * @param probing replaces what a probe uses; for tests
 * @returns the exit code
 */
export async function run(
  args: readonly string[],
  terminal: Terminal,
  probing: Pick<ProbeOptions, "ca" | "now" | "sleep"> = {},
): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === "--help" || command === "help") {
    terminal.out(HELP);
    return command === undefined ? USAGE_EXIT_CODE : 0;
  }
  if (command === "--version") {
    terminal.out(`${version()}\n`);
    return 0;
  }
  if (command !== "probe") {
    terminal.error(`cloud-eventgrid: there is no command ${JSON.stringify(command)}\n\n${HELP}`);
    return USAGE_EXIT_CODE;
  }
  if (rest.includes("--help")) {
    terminal.out(PROBE_HELP);
    return 0;
  }
  try {
    return await runProbe(rest, terminal, probing);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.error(`cloud-eventgrid probe: ${error.message}\nTry --help.\n`);
    return USAGE_EXIT_CODE;
  }
}

async function runProbe(
  args: readonly string[],
  { env, out }: Terminal,
  probing: Pick<ProbeOptions, "ca" | "now" | "sleep">,
): Promise<number> {
  const { url, pathAdded, json, options } = readProbeArguments(args, env);
  if (pathAdded && !json) out(addedPathLine(url));
  const result = await probe(url, {
    ...options,
    ...probing,
    ...(!json && { onAttempt: (attempt, next) => out(attemptLine(attempt, next)) }),
  });
  out(json ? jsonReport(url, options.origin, result) : explanation(url, result));
  return EXIT_CODES[result.last.outcome];
}

function version(): string {
  const file = join(__dirname, "../../package.json");
  const { version }: { version?: unknown } = JSON.parse(readFileSync(file, "utf8"));
  return String(version);
}
