import { SECOND_MS } from "cloud-eventgrid-binding-runtime/internal";
import { Command, Option } from "commander";
import { wholeNumber } from "../arguments.js";
import { CLOUDS, type CloudName, handshakeOrigin } from "../cloud.js";
import { proxyFor } from "../proxy.js";
import type { Terminal } from "../terminal/index.js";

/** Dependencies that tests replace. */
export interface ProbeEnvironment {
  /** Certificate authorities to trust, as PEM. */
  readonly ca?: string;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

interface ProbeFlags {
  readonly timeout?: number;
  readonly cloud: CloudName;
  readonly connectTo?: string;
  readonly urlEnv?: string;
  readonly json?: true;
}

/** Milliseconds between two handshakes. */
const INTERVAL_MS = 5000;
const DAY = 86_400;

/** `cloud-eventgrid probe`: does Event Grid's handshake with a webhook. */
export function probeCommand(
  terminal: Terminal,
  end: (exitCode: number) => void,
  environment: ProbeEnvironment = {},
): Command {
  return new Command("probe")
    .description("Do Event Grid's handshake with a webhook and explain the answer")
    .argument("[url]", "the webhook's https URL; without a path, /api/events is probed")
    .option("--timeout <seconds>", "retry until this time has passed", wholeNumber(1, DAY))
    .addOption(new Option("--cloud <name>", "Azure cloud").choices(CLOUDS).default("public"))
    .option("--connect-to <host:port>", "connect there, with the URL's name and certificate")
    .option("--url-env <variable>", "take the URL from an environment variable")
    .option("--json", "print one JSON object")
    .addHelpText("after", EXIT_CODES_HELP)
    .action(async (url: string | undefined, flags: ProbeFlags) => {
      const {
        EXIT_CODES,
        HANDSHAKE_TIMEOUT_MS,
        addedPathLine,
        attemptLine,
        explanation,
        jsonReport,
        probe,
        readProbedWebhook,
      } = await import("../probe/index.js");
      const target = readProbedWebhook(url, flags, terminal.env);
      const proxy = proxyFor(target.url, terminal.env);
      const { json = false, timeout } = flags;
      if (target.pathAdded && !json) terminal.out(addedPathLine(target.url));
      const origin = handshakeOrigin(flags.cloud);
      const result = await probe(target.url, {
        origin,
        attempts: timeout === undefined ? 1 : Number.POSITIVE_INFINITY,
        timeout: SECOND_MS * (timeout ?? DAY),
        interval: INTERVAL_MS,
        attemptTimeout: HANDSHAKE_TIMEOUT_MS,
        connectTo: target.connectTo,
        proxy,
        ...environment,
        ...(!json && { onAttempt: (attempt, next) => terminal.out(attemptLine(attempt, next)) }),
      });
      terminal.out(
        json
          ? jsonReport(target.url, origin, result)
          : explanation(target.url, result, terminal.columns),
      );
      end(EXIT_CODES[result.last.outcome]);
    });
}

const EXIT_CODES_HELP = `
Without --timeout there is one handshake, which waits 30 s for an answer as
Event Grid does. It goes through the proxy of HTTPS_PROXY, except for the hosts
of NO_PROXY and with --connect-to.

Examples:
  cloud-eventgrid probe https://orders.example.com/api/events --timeout 300

Exit codes:
   0  the webhook consents
   1  the probe itself failed
   2  the arguments are wrong
  10  the host name is not found          20  502, 503 or 504: not available
  11  the connection is refused           21  401, 403 or 407: no credentials
  12  no answer in time                   22  a redirect
  13  the certificate is not trusted      23  404 or 405: wrong path
  14  not HTTPS                           24  no consent in the answer
  15  the connection is closed unanswered 25  another status
  16  the proxy does not connect          26  CORS answers, not the webhook`;
