import { Azure } from "../azure/index.js";
import { ExitCode, type Terminal } from "../terminal/index.js";
import type { ListenEnvironment, ListenFlags } from "./listen.js";
import {
  type Account,
  deleteSubscription,
  listSubscriptions,
  openAccount,
  originOf,
  PREFIX,
  queueError,
  readAccountId,
  readScope,
} from "./source/index.js";

/**
 * Deletes the event subscriptions and queues of this person's `listen` on this machine that do not run
 * any more.
 *
 * @returns the exit code
 */
export async function clean(
  { env, out, error, progress }: Terminal,
  flags: ListenFlags,
  environment: ListenEnvironment,
): Promise<number> {
  const scope = readScope(flags.scope);
  progress("reading from Azure");
  const azure = await Azure.signIn(flags.cloud, flags.tenant, env, environment);
  const caller = await azure.caller();
  const kept: string[] = [];
  let deleted = 0;
  let failed = 0;

  async function remove(what: string, name: string, act: () => Promise<string | undefined>) {
    const origin = originOf(name);
    if (origin === undefined) return;
    if (origin !== "ended") {
      kept.push(
        `${what} ${name}: ${origin === "running" ? "it is in use" : "it belongs to another person or machine"}`,
      );
      return;
    }
    const problem = await act();
    if (problem === undefined) {
      deleted += 1;
      out(`Deleted the ${what} ${name}.\n`);
    } else {
      failed += 1;
      error(`Not deleted: the ${what} ${name}: ${problem}\n`);
    }
  }

  const accounts = new Map<string, Account>();
  const addAccount = async (id: string) => {
    accounts.set(id.toLowerCase(), await openAccount(azure, readAccountId(id), caller, env));
  };
  if (flags.storageAccount !== undefined) await addAccount(flags.storageAccount);
  for (const { id, name, queue } of await listSubscriptions(azure, scope, caller)) {
    const isOwn = originOf(name) === "ended" && queue?.name === name;
    if (isOwn && !accounts.has(queue.account.toLowerCase())) {
      await addAccount(queue.account);
    }
    await remove("event subscription", name, () => deleteSubscription(azure, id));
  }
  for (const account of accounts.values()) {
    try {
      for await (const { name } of account.queues.listQueues({ prefix: PREFIX })) {
        await remove("queue", name, async () => {
          await account.queues.deleteQueue(name);
          return undefined;
        });
      }
    } catch (reason) {
      const what = `the queues of ${account.id} cannot be cleaned`;
      const action = "delete";
      throw queueError(reason, what, { account, caller, action });
    }
  }
  for (const text of kept) out(`Kept: the ${text}.\n`);
  if (deleted + failed === 0) out(`There is nothing to delete at ${scope.id}.\n`);
  if (accounts.size === 0) {
    out("Queues were not looked for: name their account with --storage-account.\n");
  }
  return failed > 0 ? ExitCode.problems : ExitCode.ok;
}
