import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { DefaultAzureCredential } from "@azure/identity";
import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import { interruption } from "../../examples/start/interruption.js";
import type { Surroundings } from "./connection.js";
import { readOptions, USAGE } from "./options.js";
import { run } from "./run.js";

/** `npm run azure`. Tests replace parts of the environment. @returns the exit code */
export async function main(
  args: readonly string[],
  replaced: Partial<Surroundings> = {},
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options !== "help") return await run(options, { ...realEnvironment(), ...replaced });
    console.log(USAGE);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return error instanceof TypeError ? 2 : 1;
  }
}

function realEnvironment(): Surroundings {
  // HTTPS_PROXY is for all requests, not only for those of the identity library.
  setGlobalDispatcher(new EnvHttpProxyAgent());
  const credential = new DefaultAzureCredential();
  return {
    fetch,
    token: async (scope) => (await credential.getToken(scope)).token,
    now: Date.now,
    wait: (milliseconds) => sleep(milliseconds),
    interrupted: interruption(),
    directory: "azure-report",
    print: console.log,
    confirm,
    variables: process.env,
  };
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log("There is no terminal to ask: pass --yes.");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
