import { setTimeout as sleep } from "node:timers/promises";
import { Azure, type AzureDependencies } from "../azure/index.js";
import { handshakeOrigin } from "../cloud.js";
import { readText } from "../files.js";
import type { EventToFilter } from "../plan/filters/index.js";
import {
  CommandError,
  ExitCode,
  isConfirmed,
  jsonText,
  type Terminal,
  UsageError,
} from "../terminal/index.js";
import type { Deployment } from "./deployment.js";
import { type ExamineOptions, examine } from "./examine.js";
import type { Finding } from "./finding.js";
import { carryOut, fixesOf } from "./fix.js";
import { type DeploymentFlags, readDeployment } from "./read-deployment.js";
import { COLOURS, findingText, verdict } from "./report.js";

/** Dependencies that tests replace. */
export interface DoctorEnvironment extends AzureDependencies {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

export interface DoctorFlags extends DeploymentFlags {
  readonly event?: string;
  readonly subject?: string;
  readonly probeUrl?: string;
  readonly handshake: boolean;
  readonly fix?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** One run of the doctor: what it examines, fixes and prints. */
export class Examination {
  static async start(
    terminal: Terminal,
    file: string | undefined,
    flags: DoctorFlags,
    environment: DoctorEnvironment,
  ): Promise<Examination> {
    const deployment = readDeployment(terminal, file, flags);
    const event = readKnownEvent(terminal, flags);
    if (flags.probeUrl !== undefined && !/^https?:\/\/[^/]/i.test(flags.probeUrl)) {
      throw new UsageError("--probe-url must be a URL such as http://127.0.0.1:9000/api/events");
    }
    const { cloud, input } = deployment;
    const azure = await Azure.signIn(cloud, input?.tenantId, terminal.env, environment);
    const options = {
      handshake: flags.handshake,
      probe: { origin: handshakeOrigin(cloud), ca: environment.ca },
      env: terminal.env,
      now: environment.now ?? Date.now,
      probeUrl: flags.probeUrl,
      event,
    };
    return new Examination(terminal, flags, environment, deployment, azure, options);
  }

  #findings: Finding[] = [];
  /** The commands that were carried out. */
  readonly #tried = new Set<string>();

  private constructor(
    private readonly terminal: Terminal,
    private readonly flags: DoctorFlags,
    private readonly environment: DoctorEnvironment,
    private readonly deployment: Deployment,
    private readonly azure: Azure,
    private readonly options: ExamineOptions,
  ) {}

  /** Runs the checks, and prints each finding as soon as it is there. */
  async examine(): Promise<void> {
    this.#findings = [];
    if (!this.flags.json) this.terminal.out(`${this.deployment.name}\n`);
    this.terminal.progress("reading from Azure");
    for await (const finding of examine(this.azure, this.deployment, this.options)) {
      this.#add(finding);
      this.terminal.progress("reading from Azure");
    }
    this.terminal.done();
  }

  /** Prints the verdict. @returns the exit code */
  report(): number {
    const findings = this.#findings;
    const failed = findings.some(({ status }) => status === "failed");
    const unknown = findings.some(({ status }) => status === "unknown");
    const { name } = this.deployment;
    this.terminal.out(
      this.flags.json
        ? jsonText({ name, ok: !failed && !unknown, findings: findings.map(withoutRequest) })
        : `\n${verdict(findings, this.#purpose)}\n`,
    );
    return failed ? ExitCode.problems : unknown ? ExitCode.unknown : ExitCode.ok;
  }

  /** Carries out the commands of the report. @returns whether anything was changed */
  async fix(): Promise<boolean> {
    const { terminal, flags, environment } = this;
    const say = flags.json ? terminal.error : terminal.out;
    const fixes = fixesOf(this.#findings).filter(({ command }) => !this.#tried.has(command));
    if (fixes.length === 0) {
      if (this.#tried.size === 0) say("\nNo remedy is a command that can be carried out.\n");
      return false;
    }
    say(`\n${fixes.map(({ command }) => `${command}\n`).join("")}`);
    if (!flags.yes && !(await isConfirmed(terminal, "Carry this out?", "add --yes to --fix"))) {
      return false;
    }
    for (const fix of fixes) {
      this.#tried.add(fix.command);
      terminal.progress(fix.command);
      const problem = await carryOut(this.azure, fix, environment.sleep ?? sleep);
      say(
        problem === undefined ? `done: ${fix.command}\n` : `failed: ${fix.command}: ${problem}\n`,
      );
    }
    say("Roles may take minutes to take effect.\n\n");
    return true;
  }

  /** A definition that only publishes says nothing of what becomes of the events. */
  get #purpose(): "delivery" | "publishing" {
    const { input, pull } = this.deployment;
    return input === undefined && pull === undefined ? "publishing" : "delivery";
  }

  #add(finding: Finding): void {
    this.#findings.push(finding);
    if (!this.flags.json) this.terminal.out(findingText(finding, this.terminal.columns), COLOURS);
  }
}

/** A finding as JSON shows it. */
function withoutRequest({ remedy, ...finding }: Finding): Finding {
  if (remedy === undefined) return finding;
  const { request: _, ...shown } = remedy;
  return { ...finding, remedy: shown };
}

/** The event that must pass the filter: a whole one, or what is known of it. */
function readKnownEvent(
  { directory }: Terminal,
  { event: file, subject, eventType = [] }: DoctorFlags,
): EventToFilter | undefined {
  const [type, ...others] = eventType;
  if (file === undefined) {
    if (subject === undefined) return undefined;
    const known = { subject, ...(others.length === 0 && type !== undefined && { type }) };
    return { attributes: known, isPartial: true };
  }
  if (subject !== undefined) throw new UsageError("give --event or --subject, not both");
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
