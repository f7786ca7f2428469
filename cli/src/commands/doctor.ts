import { Command } from "commander";
import { collect } from "../arguments.js";
import type { AzureDependencies } from "../azure/index.js";
import { handshakeOrigin } from "../cloud.js";
import type { EventToFilter, Finding, TargetOptions } from "../doctor/index.js";
import { CommandError, ExitCode, jsonText, type Terminal, UsageError } from "../terminal/index.js";

/** Dependencies that tests replace. */
export type DoctorEnvironment = AzureDependencies;

interface DoctorFlags {
  readonly env?: string;
  readonly envFile?: string;
  readonly terraform?: string;
  readonly scope?: string;
  readonly eventSubscription?: string;
  readonly azureSubscription?: string;
  readonly eventType?: readonly string[];
  readonly subject?: string;
  readonly event?: string;
  readonly writer?: string;
  readonly publisher?: string;
  readonly probeUrl?: string;
  readonly handshake: boolean;
  readonly json?: true;
}

/** `cloud-eventgrid doctor`: finds out why no events arrive. */
export function doctorCommand(
  terminal: Terminal,
  end: (exitCode: number) => void,
  environment: DoctorEnvironment = {},
): Command {
  const { env, out } = terminal;
  return new Command("doctor")
    .description("Find out what prevents events from being delivered")
    .argument("[file]", "a component document")
    .option("--env <prefix>", "a binding in environment variables")
    .option("--env-file <file>", "a file with environment variables for --env")
    .option("--terraform <file>", "the output of terraform output -json")
    .option("--scope <id>", "the scope of the event subscription")
    .option("--event-subscription <id>", "the resource ID of the event subscription")
    .option("--azure-subscription <id>", "the Azure subscription of the topic")
    .option("--event-type <type>", "an event type that must arrive (repeatable)", collect)
    .option("--subject <text>", "the subject of an event that must arrive")
    .option("--event <file>", "an event that must arrive, as JSON")
    .option("--writer <id>", "object ID of the principal that writes the event subscription")
    .option("--publisher <id>", "object ID of the principal that publishes with Entra")
    .option("--probe-url <url>", "do the handshake with this URL instead of the webhook's")
    .option("--no-handshake", "do no handshake")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, flags: DoctorFlags) => {
      const { Azure } = await import("../azure/index.js");
      const { COLOURS, examine, findingText, verdict } = await import("../doctor/index.js");
      const target = await readTarget(terminal, file, flags);
      const event = await readEvent(terminal, flags);
      const azure = await Azure.signIn(target.cloud, target.input?.tenantId, env, environment);
      const { name } = target;
      if (!flags.json) out(`${name}\n`);
      const findings: Finding[] = [];
      terminal.progress("reading from Azure");
      for await (const finding of examine(azure, target, {
        handshake: flags.handshake,
        probe: {
          origin: handshakeOrigin(target.cloud),
          ...(environment.ca && { ca: environment.ca }),
        },
        env,
        ...(flags.probeUrl !== undefined && { probeUrl: flags.probeUrl }),
        ...(event && { event }),
      })) {
        findings.push(finding);
        if (flags.json) continue;
        out(findingText(finding, terminal.columns), COLOURS);
        terminal.progress("reading from Azure");
      }
      const failed = findings.some(({ status }) => status === "failed");
      const unknown = findings.some(({ status }) => status === "unknown");
      out(
        flags.json
          ? jsonText({ name, ok: !failed && !unknown, findings })
          : `\n${verdict(findings)}\n`,
      );
      end(failed ? ExitCode.problems : unknown ? ExitCode.unknown : ExitCode.ok);
    });
}

/** The event that must pass the filter: a whole one, or what is known of it. */
async function readEvent(
  { directory }: Terminal,
  { event: file, subject, eventType = [] }: DoctorFlags,
): Promise<EventToFilter | undefined> {
  const [type, ...others] = eventType;
  if (file === undefined) {
    if (subject === undefined) return undefined;
    const known = { subject, ...(others.length === 0 && type !== undefined && { type }) };
    return { attributes: known, isPartial: true };
  }
  if (subject !== undefined) throw new UsageError("give --event or --subject, not both");
  const { readText } = await import("../files.js");
  const text = readText(directory, file);
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw new CommandError(`${file} must contain one event, a JSON object`);
  }
  return { attributes: { ...event }, isPartial: false };
}

async function readTarget(
  { directory, env }: Terminal,
  file: string | undefined,
  flags: DoctorFlags,
) {
  const { ownSubscription, readTerraformOutputs, targetOfBinding, targetOfProps } = await import(
    "../doctor/index.js"
  );
  const { readComponents, readEnvironment, readEnvironmentBinding } = await import(
    "../definitions/index.js"
  );
  const { readText } = await import("../files.js");
  const sources = [file, flags.env, flags.terraform].filter((each) => each !== undefined);
  if (file === undefined && flags.env === undefined && flags.terraform === undefined) {
    throw new UsageError("give a component document, --env <prefix> or --terraform <file>");
  }
  if (file !== undefined) {
    if (sources.length > 1) throw new UsageError("give one definition");
    const text = readText(directory, file);
    const [component, another] = readComponents(text, file, { existingSubscription: true });
    if (another !== undefined) throw new UsageError(`${file} contains several bindings`);
    const { name = file, props, problems = [] } = component ?? {};
    if (props === undefined) throw new CommandError(messages(problems, file));
    return targetOfProps(name, props, optionsOf(flags, env));
  }
  const outputs =
    flags.terraform === undefined
      ? undefined
      : readTerraformOutputs(readText(directory, flags.terraform));
  const [onlyPrefix, ...others] = outputs?.prefixes ?? [];
  if (flags.env === undefined && others.length > 0) {
    const prefixes = outputs?.prefixes.join(", ");
    throw new UsageError(`the outputs contain several bindings (${prefixes}): choose with --env`);
  }
  const prefix = flags.env ?? onlyPrefix;
  if (prefix === undefined) {
    throw new CommandError("the outputs contain no environment of a binding: give --env <prefix>");
  }
  const variables = { ...readEnvironment(env, directory, flags.envFile), ...outputs?.environment };
  const { binding, problems } = readEnvironmentBinding(prefix, variables);
  if (binding === undefined) throw new CommandError(messages(problems));
  const eventSubscription = outputs && ownSubscription(outputs, prefix);
  return targetOfBinding(prefix, binding, {
    ...(eventSubscription !== undefined && { eventSubscription }),
    ...optionsOf(flags, env),
  });
}

function optionsOf(flags: DoctorFlags, env: Terminal["env"]): TargetOptions {
  const { scope, eventSubscription, writer, publisher, eventType = [] } = flags;
  const azureSubscription =
    flags.azureSubscription ?? env.ARM_SUBSCRIPTION_ID ?? env.AZURE_SUBSCRIPTION_ID;
  return {
    eventTypes: eventType,
    ...(scope !== undefined && { scope }),
    ...(eventSubscription !== undefined && { eventSubscription }),
    ...(azureSubscription !== undefined && { azureSubscription }),
    ...(writer !== undefined && { writer }),
    ...(publisher !== undefined && { publisher }),
  };
}

const messages = (
  problems: readonly { readonly line?: number; readonly message: string }[],
  file = "",
) =>
  problems
    .map(({ line, message }) => (line === undefined ? message : `${file}:${line}: ${message}`))
    .join("\n");

const HELP = `
Signs in with @azure/identity (az login, a managed identity, AZURE_… or ARM_…
variables) and only reads. Needs the role Reader at the scope and
Application.Read.All in Graph.

Examples:
  npx cloud-eventgrid doctor components/orders.yaml --event-type shop.order.paid
  npx cloud-eventgrid doctor --terraform outputs.json

Exit codes:
  0  nothing prevents delivery
  1  Azure cannot be reached, or the definition cannot be read
  2  the arguments are wrong
  3  something prevents delivery
  4  nothing was found, but not everything could be inspected`;
