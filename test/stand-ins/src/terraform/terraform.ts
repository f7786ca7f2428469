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
  /** Told of every resource that is done with, as it happens. */
  readonly onProgress?: (progress: Progress) => void;
  /** Stops what is running. */
  readonly signal?: AbortSignal;
  /** Kills what is running, which then has no time for anything. */
  readonly kill?: AbortSignal;
}

/** What Terraform is going to do. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly warnings: readonly Diagnostic[];
}

/** What Terraform has done. */
export interface Applied extends Plan {
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A managed resource as Terraform remembers it. */
export interface StateResource {
  readonly address: string;
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Runs the Terraform program in one directory. Everything that fails throws what the user reads. */
export class Terraform {
  readonly #options: TerraformOptions;
  readonly #program: string;

  /** @throws TerraformMissingError when there is no Terraform program. */
  constructor(options: TerraformOptions) {
    this.#options = options;
    this.#program = requireTerraform();
  }

  /** Gets the directory ready; with real providers, this is where they are downloaded. */
  async init(): Promise<void> {
    const ended = await this.#run(["init", "-no-color"], this.#options.providers.initEnvironment);
    if (ended.status !== 0) throw new TerraformFailedError("init", [], ended.output);
  }

  /** Checks the configuration against the providers' schemas, without asking any cloud. */
  async validate(): Promise<void> {
    const { status, output } = await this.#run(["validate", "-json"]);
    if (status === 0) return;
    const { diagnostics } = JSON.parse(output) as { diagnostics: Partial<Diagnostic>[] };
    throw new TerraformFailedError("validate", diagnostics.map(toDiagnostic), output);
  }

  async plan(): Promise<Plan> {
    return told(await this.#speak("plan", []));
  }

  /**
   * Plans and applies in one go. `replace` names resources to make anew although nothing changed;
   * without `refresh` nothing is read before.
   */
  async apply(options: { replace?: readonly string[]; refresh?: boolean } = {}): Promise<Applied> {
    const replace = (options.replace ?? []).map((address) => `-replace=${address}`);
    const refresh = options.refresh === false ? ["-refresh=false"] : [];
    const messages = await this.#speak("apply", ["-auto-approve", ...replace, ...refresh]);
    return { ...told(messages), outputs: await this.outputs() };
  }

  async destroy(): Promise<Plan> {
    return told(await this.#speak("destroy", ["-auto-approve"]));
  }

  /** Tells the state that the resource at one address is now the one at another. */
  async moveState(from: string, to: string): Promise<void> {
    const { status, output } = await this.#run(["state", "mv", from, to]);
    if (status !== 0) throw new TerraformFailedError("state mv", [], output);
  }

  /** Has the state forget the resource at an address; in the cloud it stays. */
  async forget(address: string): Promise<void> {
    const { status, output } = await this.#run(["state", "rm", address]);
    if (status !== 0) throw new TerraformFailedError("state rm", [], output);
  }

  /** Takes something that is in the cloud into the state, at an address of the configuration. */
  async import(address: string, id: string): Promise<void> {
    const { status, output } = await this.#run(["import", "-no-color", address, id]);
    if (status !== 0) throw new TerraformFailedError("import", [], output);
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

  async #speak(command: string, options: readonly string[]): Promise<Message[]> {
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

  #run(
    args: readonly string[],
    environment = this.#options.providers.environment,
    onLine?: (line: string) => void,
  ): Promise<Ended> {
    const { directory, signal, kill } = this.#options;
    return run(this.#program, args, {
      directory,
      environment: terraformEnvironment(environment),
      ...(onLine !== undefined && { onLine }),
      ...(signal !== undefined && { signal }),
      ...(kill !== undefined && { kill }),
    });
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

function told(messages: readonly Message[]): Plan {
  return {
    changes: messages.flatMap((each) => (each.type === "change" ? [each.change] : [])),
    warnings: diagnosticsOf(messages).filter(({ severity }) => severity === "warning"),
  };
}

function diagnosticsOf(messages: readonly Message[]): Diagnostic[] {
  return messages.flatMap((each) => (each.type === "diagnostic" ? [each.diagnostic] : []));
}
