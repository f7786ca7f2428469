import { terraformEnvironment } from "./environment.js";
import { TerraformFailedError } from "./errors.js";
import {
  type Change,
  type Diagnostic,
  type Message,
  type Progress,
  parseMessage,
  toDiagnostic,
} from "./messages.js";
import { requireTerraform } from "./program.js";
import type { Providers } from "./providers.js";
import { type Ended, run } from "./run.js";

export interface TerraformOptions {
  /** The directory of the configuration: for cdktf, `cdktf.out/stacks/<stack>`. */
  readonly directory: string;
  readonly providers: Providers;
  /** Called when the operation on a resource has ended. */
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the running command. */
  readonly signal?: AbortSignal;
  /** How a command ends: after `SIGKILL`, it cannot clean up. @default "SIGINT" */
  readonly killSignal?: "SIGINT" | "SIGKILL";
}

/** The changes that Terraform plans. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly warnings: readonly Diagnostic[];
}

/** The changes that Terraform has applied. */
export interface Applied extends Plan {
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A managed resource of Terraform's state. */
export interface StateResource {
  readonly address: string;
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A resource that Terraform plans to create. */
export interface PlannedResource {
  readonly address: string;
  readonly type: string;
  /** The attributes that are known. */
  readonly after: Readonly<Record<string, unknown>>;
  /** `true` in the place of each value that is known only after the apply. */
  readonly after_unknown: Readonly<Record<string, unknown>>;
}

/**
 * Runs the Terraform program in one directory. A failed command throws a `TerraformFailedError`
 * with its diagnostics.
 */
export class Terraform {
  readonly #options: TerraformOptions;
  readonly #program: string;

  /** @throws TerraformMissingError when Terraform is not on the PATH. */
  constructor(options: TerraformOptions) {
    this.#options = options;
    this.#program = requireTerraform();
  }

  /** Initializes the directory, which downloads real providers. */
  async init(): Promise<void> {
    await this.#succeed(["init", "-no-color"], this.#options.providers.initEnvironment);
  }

  /** Checks the configuration against the providers' schemas, without requests to the cloud. */
  async validate(): Promise<void> {
    const { status, output } = await this.#run(["validate", "-json"]);
    if (status === 0) return;
    const { diagnostics } = JSON.parse(output) as { diagnostics: Partial<Diagnostic>[] };
    throw new TerraformFailedError("validate", diagnostics.map(toDiagnostic), output);
  }

  async plan(): Promise<Plan> {
    return planOf(await this.#runJson("plan", []));
  }

  /** A plan, as `terraform show -json` prints it. `replace` is as for {@link apply}. */
  async planJson(replace: readonly string[] = []): Promise<string> {
    const options = replace.map((address) => `-replace=${address}`);
    await this.#runJson("plan", ["-out=planned", ...options]);
    return (await this.#run(["show", "-json", "planned"])).output;
  }

  /** The resources that a plan creates, with what is known of their attributes. */
  async planned(): Promise<PlannedResource[]> {
    const { resource_changes } = JSON.parse(await this.planJson()) as {
      resource_changes: (StateResource & { mode: string; change: PlannedResource })[];
    };
    return resource_changes
      .filter(({ mode }) => mode === "managed")
      .map(({ address, type, change }) => ({ ...change, address, type }));
  }

  /**
   * Plans and applies. `replace` lists resources to replace although nothing changed; with
   * `refresh: false` nothing is read beforehand.
   */
  async apply(options: { replace?: readonly string[]; refresh?: boolean } = {}): Promise<Applied> {
    const replace = (options.replace ?? []).map((address) => `-replace=${address}`);
    const refresh = options.refresh === false ? ["-refresh=false"] : [];
    const messages = await this.#runJson("apply", ["-auto-approve", ...replace, ...refresh]);
    return { ...planOf(messages), outputs: await this.outputs() };
  }

  async destroy(): Promise<Plan> {
    return planOf(await this.#runJson("destroy", ["-auto-approve"]));
  }

  /** Moves a resource of the state to another address. */
  async moveState(from: string, to: string): Promise<void> {
    await this.#succeed(["state", "mv", from, to]);
  }

  /** Removes a resource from the state. In the cloud it stays. */
  async forget(address: string): Promise<void> {
    await this.#succeed(["state", "rm", address]);
  }

  /** Imports an existing resource into the state, at an address of the configuration. */
  async import(address: string, id: string): Promise<void> {
    await this.#succeed(["import", "-no-color", address, id]);
  }

  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    const { output } = await this.#run(["output", "-json"]);
    const read = JSON.parse(output) as Record<string, { value: unknown }>;
    return Object.fromEntries(Object.entries(read).map(([name, { value }]) => [name, value]));
  }

  /** The managed resources of the state, in the order of their addresses. */
  async state(): Promise<StateResource[]> {
    const { output } = await this.#run(["show", "-json"]);
    const { values } = JSON.parse(output) as { values?: { root_module?: Module } };
    return resourcesOf(values?.root_module ?? {});
  }

  async #runJson(command: string, options: readonly string[]): Promise<Message[]> {
    const messages: Message[] = [];
    const ended = await this.#run([command, "-json", ...options], undefined, (line) => {
      const message = parseMessage(line);
      if (message === undefined) return;
      messages.push(message);
      if (message.type === "progress") this.#options.onProgress?.(message.progress);
    });
    if (ended.status === 0) return messages;
    throw new TerraformFailedError(command, diagnosticsOf(messages), ended.output);
  }

  async #succeed(args: readonly string[], environment?: Providers["environment"]): Promise<void> {
    const { status, output } = await this.#run(args, environment);
    if (status !== 0) throw new TerraformFailedError(args.join(" "), [], output);
  }

  #run(
    args: readonly string[],
    environment = this.#options.providers.environment,
    onLine?: (line: string) => void,
  ): Promise<Ended> {
    const { directory, signal, killSignal } = this.#options;
    const options = { directory, environment: terraformEnvironment(environment), onLine };
    return run(this.#program, args, { ...options, signal, killSignal });
  }
}

interface Module {
  readonly resources?: readonly (StateResource & { readonly mode: string })[];
  readonly child_modules?: readonly Module[];
}

function resourcesOf({ resources = [], child_modules = [] }: Module): StateResource[] {
  const managed = resources.filter(({ mode }) => mode === "managed");
  return [
    ...managed.map(({ address, type, values }) => ({ address, type, values })),
    ...child_modules.flatMap(resourcesOf),
  ];
}

function planOf(messages: readonly Message[]): Plan {
  return {
    changes: messages.flatMap((each) => (each.type === "change" ? [each.change] : [])),
    warnings: diagnosticsOf(messages).filter(({ severity }) => severity === "warning"),
  };
}

function diagnosticsOf(messages: readonly Message[]): Diagnostic[] {
  return messages.flatMap((each) => (each.type === "diagnostic" ? [each.diagnostic] : []));
}
