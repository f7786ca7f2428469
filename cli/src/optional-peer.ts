import { prepareProxy } from "./proxy.js";
import { CommandError } from "./terminal/index.js";

/**
 * Loads a package that only some commands need, and that is therefore not installed with this one.
 *
 * @throws {CommandError} that names the package to install
 * @throws {UsageError} when the environment has an invalid proxy, which clients would trip over
 */
export async function optionalPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  prepareProxy();
  try {
    return await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "MODULE_NOT_FOUND" && code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CommandError(
      `this command needs the package ${name}: install it beside cloud-eventgrid`,
    );
  }
}

/** Loads `@azure/identity`. @throws {CommandError} when it is not installed */
export function loadIdentity() {
  return optionalPeer("@azure/identity", () => import("@azure/identity"));
}
