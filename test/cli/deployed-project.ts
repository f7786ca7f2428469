import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect } from "vitest";
import { prepareProviders, Terraform } from "../stand-ins/src/index.js";
import { inReadOnlyFileSystem } from "../support/container-image.js";
import { source } from "../terraform/with-terraform.js";

const run = promisify(execFile);

/** A generated project, deployed to a local Azure as its README says. */
export class DeployedProject {
  /** @param prepare creates what the project expects to exist */
  static async start(
    folder: string,
    prepare: (cloud: LocalCloud) => void = () => {},
  ): Promise<DeployedProject> {
    const cloud = await LocalCloud.start({ control: true });
    prepare(cloud);
    return new DeployedProject(folder, cloud);
  }

  readonly #environment: Readonly<Record<string, string>>;
  #service: ChildProcess | undefined;
  #log = "";
  #stop: () => Promise<void> = async () => {};

  private constructor(
    readonly folder: string,
    readonly cloud: LocalCloud,
  ) {
    this.#environment = {
      ...cloud.terraformEnvironment(),
      CLOUD_AUTHORITY_HOST: cloud.authorityHost,
    };
  }

  /** Synthesizes and applies the stack. Returns Terraform's outputs. */
  async deploy(variables: Record<string, string> = {}): Promise<Readonly<Record<string, unknown>>> {
    const env = { ...process.env, ...this.#environment, ...variables };
    await run("npm", ["run", "synth"], { cwd: this.folder, env });
    const terraform = await this.#terraform();
    await terraform.init();
    return (await terraform.apply()).outputs;
  }

  /**
   * Starts the compiled service as its image does, and waits until it is ready.
   *
   * @param identity variables with the identity that it signs in as
   */
  async serve(
    { dotenv }: Readonly<Record<string, unknown>>,
    port: number,
    identity: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const [program = "", ...args] = inReadOnlyFileSystem(this.#command());
    this.#service = spawn(program, args, {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...this.#serviceEnvironment(dotenv), ...identity },
    });
    for (const stream of [this.#service.stdout, this.#service.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#log += text;
      });
    }
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok || this.#log,
        () => this.#log,
      );
    await expect.poll(isReady).toBe(true);
  }

  /** Runs the compiled program of a project that only publishes, to its end, as the identity. */
  async publish(
    { dotenv }: Readonly<Record<string, unknown>>,
    identity: Readonly<Record<string, string>>,
  ): Promise<string> {
    const [program = "", ...args] = this.#command();
    const env = { ...this.#serviceEnvironment(dotenv), ...identity };
    return (await run(program, args, { cwd: this.folder, env })).stdout;
  }

  /** What the service has logged so far. */
  get log(): string {
    return this.#log;
  }

  async destroy(): Promise<void> {
    await (await this.#terraform()).destroy();
  }

  async stop(): Promise<void> {
    if (this.#service !== undefined && this.#service.exitCode === null) {
      this.#service.kill("SIGKILL");
      await once(this.#service, "exit");
    }
    await this.#stop();
    await this.cloud.close();
  }

  async #terraform(): Promise<Terraform> {
    await this.#stop();
    const providers = await prepareProviders(source, this.#environment);
    this.#stop = async () => providers.stop();
    const [stack = ""] = Object.keys(
      JSON.parse(readFileSync(join(this.folder, "cdktf.out/manifest.json"), "utf8")).stacks,
    );
    return new Terraform({ directory: join(this.folder, "cdktf.out/stacks", stack), providers });
  }

  /** The command of the project's image, or of `npm start` in a project without one. */
  #command(): string[] {
    const dockerfile = join(this.folder, "Dockerfile");
    const [, command = '["node", "dist/start.js"]'] =
      /^CMD (.*)$/m.exec(existsSync(dockerfile) ? readFileSync(dockerfile, "utf8") : "") ?? [];
    return JSON.parse(command);
  }

  #serviceEnvironment(dotenv: unknown): Record<string, string> {
    const { NODE_EXTRA_CA_CERTS = "" } = this.#environment;
    const lines = String(dotenv)
      .split("\n")
      .map((line) => line.split(/=(.*)/s, 2));
    const variables = Object.fromEntries(lines.map(([name = "", value = ""]) => [name, value]));
    return { PATH: process.env.PATH ?? "", NODE_EXTRA_CA_CERTS, ...variables };
  }
}
