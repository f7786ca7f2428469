import { setTimeout as sleep } from "node:timers/promises";
import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import { missingSignIn } from "../../cli/src/azure/sign-in.js";
import { interruption } from "../../examples/start/interruption.js";
import type { Surroundings } from "./connection.js";
import { readOptions, USAGE } from "./options.js";
import { clean, run } from "./run.js";

/** `npm run azure`. Tests replace parts of the environment. @returns the exit code */
export async function main(
  args: readonly string[],
  replaced: Partial<Surroundings> = {},
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === "help") {
      console.log(USAGE);
      return 0;
    }
    // HTTPS_PROXY is for all requests, not only for those of the identity library.
    setGlobalDispatcher(new EnvHttpProxyAgent());
    return await (options.clean ? clean : run)(options, {
      fetch,
      wait: (milliseconds) => sleep(milliseconds),
      interrupted: interruption(),
      directory: "azure-report",
      ...replaced,
    });
  } catch (error) {
    console.error(error instanceof Error ? (missingSignIn(error) ?? error.message) : error);
    return error instanceof TypeError ? 2 : 1;
  }
}
