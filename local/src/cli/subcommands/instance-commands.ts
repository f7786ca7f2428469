import { resolve } from "node:path";
import { Command, Option } from "commander";
import { checkConfiguration } from "../configuration.js";
import { clock, directoryOption, environmentOption, pairs, port, repeatable } from "../options.js";
import { requireRunningInstance } from "../running-instance.js";
import {
  environmentLines,
  failureLine,
  type ShellName,
  shellNames,
  withAuthoritiesOf,
} from "../shell.js";
import { DEFAULT_CONFIGURATION_FILE, start } from "../start.js";
import type { Terminal } from "../terminal.js";
import { findInstance } from "./instance.js";

/** `start`, which runs until it is interrupted. */
export function startCommand(terminal: Terminal): Command {
  const command = new Command("start").description(
    "start and run until interrupted, the default command",
  );
  for (const option of startOptions()) command.addOption(option);
  return command
    .addHelpText("after", "\nEvery option can be set by the variable that is shown with it.")
    .action(async (options) => {
      const { config: configFile, quiet = false, deployerSecret, ...settings } = options;
      const { functionApp, hostName, otherSubscriptionId, topic, token, ...flags } = settings;
      const named = {
        functionApps: functionApp,
        hostNames: hostName,
        otherSubscriptionIds: otherSubscriptionId,
        topics: topic?.map((name: string) => ({ name })),
        dashboardToken: token === true ? undefined : token,
      };
      for (const [name, value] of Object.entries(named))
        if (value !== undefined) flags[name] = value;
      checkConfiguration(flags, "The command line");
      await start({ configFile, quiet, flags, deployerSecret }, terminal);
    });
}

function startOptions(): Option[] {
  return [
    environmentOption(
      "--config <file>",
      `configuration as JSON (default: ${DEFAULT_CONFIGURATION_FILE}, if it exists)`,
    ),
    environmentOption("--directory <dir>", "certificates and dead letters"),
    environmentOption(
      "--host <address>",
      "address to listen on; 0.0.0.0 admits other machines (default: 127.0.0.1)",
    ),
    environmentOption(
      "--host-name <name>",
      "name in certificates and for clients elsewhere; the first is in URLs; repeatable",
      repeatable,
    ),
    environmentOption(
      "--proxy-forward",
      "lets clients on other machines, with the token, use the HTTPS proxy for all hosts",
    ),
    environmentOption("--port <port>", "HTTP port (default: a free port)", port),
    environmentOption("--https-port <port>", "HTTPS port (default: a free port)", port),
    environmentOption(
      "--ingress <public=target>",
      "forwards a public address to a local server; repeatable",
      pairs("PUBLIC=TARGET"),
    ),
    environmentOption(
      "--function-app <name=target>",
      "address of a function app's host, such as shop=http://127.0.0.1:7071; repeatable",
      pairs("NAME=TARGET"),
    ),
    environmentOption("--topic <name>", "creates a custom topic; repeatable", repeatable),
    environmentOption("--tenant-id <id>", "(default: 11111111-1111-4111-8111-111111111111)"),
    environmentOption("--subscription-id <id>", "(default: 22222222-2222-4222-8222-222222222222)"),
    environmentOption(
      "--other-subscription-id <id>",
      "adds an Azure subscription; repeatable",
      repeatable,
    ),
    environmentOption(
      "--clock <clock>",
      "real, stepped, or a number: 60 lets a minute of retries pass in a second (default: real)",
      clock,
    ),
    environmentOption(
      "--storage-connection-string <text>",
      "storage account for queues and dead letters, such as Azurite's: UseDevelopmentStorage=true",
    ),
    environmentOption(
      "--azurite <url>",
      "Azurite's blob service, such as http://127.0.0.1:10000: uploads cause events",
    ),
    environmentOption(
      "--blob-port <port>",
      "port of the blob service that causes events (default: a free port)",
      port,
    ),
    environmentOption("--persist <dir>", "keeps state and undelivered events across restarts"),
    environmentOption("--token <token>", "opens the dashboard (default: a random one)"),
    environmentOption("--no-token", "opens the dashboard to all programs on this machine"),
    environmentOption(
      "--deployer-secret <text>",
      "client secret of the environment's identity (default: random unless on loopback)",
    ),
    environmentOption("--quiet", "prints no line for each handshake and delivery"),
  ];
}

interface EnvOptions {
  readonly json?: true;
  readonly proxy?: true;
  readonly identity?: string;
  readonly shell: ShellName;
  readonly directory: string;
}

/** `env`, which prints the environment variables of a running instance. */
export function envCommand(terminal: Terminal): Command {
  return new Command("env")
    .description(
      'print [environment variables](local-azure-terraform.md) for tools: eval "$(npx --no -- cloud-eventgrid-local env)"',
    )
    .addOption(new Option("--shell <shell>", "syntax to print").choices(shellNames).default("sh"))
    .option("--json", "print a JSON object instead")
    .option("--proxy", "for clients that know the public cloud only: use the HTTPS proxy")
    .option("--identity <name>", "for a service that runs with this managed identity")
    .addOption(directoryOption())
    .action(async (options: EnvOptions) => {
      const { json, shell } = options;
      try {
        const environment = await environmentOf(options, terminal);
        terminal.print(
          json
            ? `${JSON.stringify(environment, undefined, 2)}\n`
            : environmentLines(environment, shell),
        );
      } catch (error) {
        if (!json) terminal.print(failureLine(shell));
        throw error;
      }
    });
}

/** @throws LocalCloudError `ERR_NOT_RUNNING` if no cloud uses the directory */
async function environmentOf(
  { json, proxy, identity, directory: given }: EnvOptions,
  terminal: Terminal,
): Promise<Record<string, string | undefined>> {
  const directory = resolve(terminal.directory, given);
  const running = await requireRunningInstance(directory);
  let printed = proxy ? running.proxyEnvironment : running.environment;
  if (identity !== undefined) {
    const instance = await findInstance({ directory }, terminal);
    const query = { name: identity, proxy: String(proxy ?? false) };
    printed = await instance.call("GET identity", query);
  }
  const environment = withAuthoritiesOf(process.env, printed, directory);
  return json || identity === undefined ? environment : withoutOtherIdentity(environment);
}

/** Credentials that the shell may have, and that `DefaultAzureCredential` would use instead. */
function withoutOtherIdentity(environment: Readonly<Record<string, string>>) {
  const others = ["AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"];
  const present = others.filter((name) => process.env[name] !== undefined);
  return { ...Object.fromEntries(present.map((name) => [name, undefined])), ...environment };
}
