import { confirmValidation, Webhook } from "../../test/local/support/webhook.js";
import { clean, removeRun } from "./cleanup.js";
import { Connection, type Surroundings } from "./connection.js";
import type { Options } from "./options.js";
import { keyOf, Progress } from "./progress.js";
import { writeReport } from "./report.js";
import { runRows } from "./rows.js";
import { Shared } from "./shared.js";
import { PREFIX, randomLetters, Translation } from "./translation.js";

/** Rows start until this time after the start of a run. */
const MINUTES = 16;

/** Runs everything, and removes what it created. @returns the exit code */
export async function run(options: Options, surroundings: Surroundings): Promise<number> {
  const connection = new Connection(surroundings);
  if (options.clean) return clean(options, connection);
  const { subscription } = options;
  const { print, directory, now, interrupted } = surroundings;
  const earlier = options.continue ? Progress.continue(directory) : undefined;
  if (options.continue && earlier?.run.subscription !== subscription) {
    print(`There is no run of this subscription to continue in ${directory}.`);
    return 2;
  }
  const begun = earlier?.run ?? {
    subscription,
    region: options.region,
    group: `${PREFIX}${randomLetters(5)}`,
    date: new Date(now()).toISOString().slice(0, 10),
  };
  print(announcement(options, begun.group, begun.region));
  if (!(options.yes || (await surroundings.confirm("Go on?")))) {
    print("Nothing was created.");
    return 2;
  }
  const id = `/subscriptions/${subscription}/resourceGroups/${begun.group}`;
  await connection.done("PUT", id, { location: begun.region });
  const progress = earlier ?? Progress.start(directory, begun);
  let hasFailed = false;
  try {
    await inGroup(options, connection, progress);
    hasFailed = [...progress.rows, ...progress.stacks].some(({ status }) => status === "failed");
  } catch (error) {
    hasFailed = true;
    const reason = error instanceof Error ? error.message : error;
    if (!interrupted.aborted) print(`Stopped: ${reason}`);
  }
  if (interrupted.aborted) print("Interrupted: removing what was created.");
  const isClean = await removeRun(options, connection.uninterrupted(), begun.group);
  print(`${writeReport(directory, progress)}. See ${directory}/report.md.`);
  if (interrupted.aborted) return 130;
  return isClean && !hasFailed ? 0 : 1;
}

const announcement = ({ subscription, withEntra }: Options, group: string, region: string) =>
  `In the subscription ${subscription}, this creates in ${region}:

  the resource group ${group}, with everything else in it: at most 20 Event Grid namespaces,
  about 100 topics, 400 event subscriptions, a storage account and two identities.
  ${withEntra ? `Applications in Entra named ${group}-…` : "Nothing in Entra (--with-entra)."}

It takes up to 20 minutes and costs less than one euro. Everything is removed at the end, also after
a failure and Ctrl-C. The account of az or the environment needs the role Owner, or Contributor and
Role Based Access Control Administrator.${withEntra ? " In Entra it needs the role Application Developer." : ""}
`;

async function inGroup(options: Options, connection: Connection, progress: Progress) {
  const { subscription, group, region } = progress.run;
  const { print, now } = connection.surroundings;
  const deadline = now() + MINUTES * 60_000;
  await register(connection, `/subscriptions/${subscription}/providers/Microsoft.EventGrid`);
  const webhook = options.webhook === undefined ? undefined : await Webhook.start(options.port);
  if (webhook) webhook.answer = confirmValidation;
  // cdktf takes seconds to load.
  const { runStacks } = await import("./stacks.js");
  const stacks = runStacks(options, progress, connection.surroundings);
  // The rows do not stop for a failure of the stacks, which is thrown at the end.
  const stacksEnd = stacks.catch(() => {});
  const translation = new Translation(subscription, group, region, options.webhook);
  const shared = new Shared(connection, translation, webhook, options.withEntra);
  let done = 0;
  try {
    await shared.open();
    await runRows(
      shared,
      stacksEnd,
      (key) => progress.isDone(key),
      () => now() < deadline,
      (row) => {
        progress.add({ row });
        if (/different|failed/.test(row.status)) print(`${row.status}: ${keyOf(row)}`);
        if (++done % 50 === 0) print(`${done} rows`);
      },
    );
  } finally {
    await stacks.finally(() => webhook?.[Symbol.asyncDispose]());
  }
}

/** Registers the provider, which takes minutes in a new subscription. */
async function register(connection: Connection, provider: string): Promise<void> {
  await connection.done("POST", `${provider}/register`);
  while (Object(await connection.done("GET", provider)).registrationState !== "Registered") {
    await connection.surroundings.wait(10_000);
  }
}
