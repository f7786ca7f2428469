import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import type { LocalCloud } from "cloud-eventgrid-local";
import { onTestFinished } from "vitest";
import { signIn } from "../../local/support/management-client.js";
import { root } from "../../support/project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** An answer to some requests instead of that of the local Azure. */
export interface Fault {
  readonly method: string;
  /** A regular expression. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly times: number;
}

interface Given {
  readonly args?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly faults?: readonly Fault[];
  /** Where the results are written. */
  readonly directory?: string;
  /** Ends the process by this signal as soon as it has printed the text. */
  readonly end?: { readonly after: string; readonly by: "SIGINT" | "SIGKILL" };
}

/** Runs `npm run azure` with a local Azure as the subscription. Terraform is not on its PATH. */
export async function runAzure(cloud: LocalCloud, given: Given = {}) {
  const { args = ["--yes"], variables, faults = [], directory = temporaryFolder(), end } = given;
  const program = ["--import", "tsx", "test/tools/azure/child.ts"];
  const child = spawn(
    process.execPath,
    [...program, "--subscription", cloud.subscriptionId, ...args],
    {
      cwd: root,
      env: {
        PATH: dirname(process.execPath),
        HOME: directory,
        ...cloud.proxyEnvironment(),
        LOCAL: cloud.authorityHost,
        DIRECTORY: directory,
        FAULTS: JSON.stringify(faults),
        ...variables,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  const read = (chunk: Buffer) => {
    output += chunk;
    if (end && !child.killed && output.includes(end.after)) child.kill(end.by);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const [code] = await once(child, "close");
  return { code, output, directory };
}

/** Names of the resource groups of runs. */
export async function groups(cloud: LocalCloud): Promise<string[]> {
  const call = await signIn(cloud);
  const { body } = await call("GET", `/subscriptions/${cloud.subscriptionId}/resourceGroups`);
  return Object(body).value.map(({ name }: { name: string }) => name);
}
