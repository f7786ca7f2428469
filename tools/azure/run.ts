import { confirmValidation, Webhook } from "../../test/local/support/webhook.js";
import { leftApplications, leftGroups, removeApplications, removeGroup } from "./cleanup.js";
import { Connection, type Surroundings } from "./connection.js";
import type { Options } from "./options.js";
import { Progress } from "./progress.js";
import { writeReport } from "./report.js";
import { runRows } from "./rows.js";
import { Shared } from "./shared.js";
import { PREFIX, randomLetters, Translation } from "./translation.js";

/** Rows start until this time after the start of a run. */
const MINUTES = 16;

/** Runs everything, and removes what it created. @returns the exit code */
export async function run(options: Options, environment: Surroundings): Promise<number> {
  const connection = new Connection(environment);
  if (options.clean) return clean(options, connection, environment);
  const { print, directory, now } = environment;
  const earlier = options.continues ? Progress.continue(directory) : undefined;
  if (options.continues && earlier?.run.subscription !== options.subscription) {
    print(`There is no run of this subscription to continue in ${directory}.`);
    return 2;
  }
  const begun = earlier?.run ?? {
    subscription: options.subscription,
    region: options.region,
    group: `${PREFIX}${randomLetters(5)}`,
    date: new Date(now()).toISOString().slice(0, 10),
  };
  announce(options, begun.group, begun.region, print);
  if (!(options.yes || (await environment.confirm("Go on?")))) {
    print("Nothing was created.");
    return 2;
  }
  const { subscription, group, region } = begun;
  const id = `/subscriptions/${subscription}/resourceGroups/${group}`;
  await connection.done("PUT", id, { location: region });
  const progress = earlier ?? Progress.start(directory, begun);
  let problem: unknown;
  try {
    await inGroup(options, connection, progress, environment);
  } catch (error) {
    problem = error;
  }
  const isInterrupted = environment.interrupted.aborted;
  if (isInterrupted) print("Interrupted: removing what was created.");
  else if (problem !== undefined) print(`Stopped: ${textOf(problem)}`);
  const isClean = await removed(options, connection.uninterrupted(), begun.group, print);
  print(`${writeReport(directory, progress)}. See ${directory}/report.md.`);
  if (isInterrupted) return 130;
  const hasFailed = [...progress.rows, ...progress.stacks].some(
    ({ status }) => status === "failed",
  );
  return problem === undefined && isClean && !hasFailed ? 0 : 1;
}

function announce(options: Options, group: string, region: string, print: (line: string) => void) {
  print(`In the subscription ${options.subscription}, this creates in ${region}:

  the resource group ${group}, with everything else in it: at most 20 Event Grid namespaces,
  about 100 topics, 400 event subscriptions, a storage account and two identities.
  ${options.withEntra ? `Applications in Entra named ${group}-…` : "Nothing in Entra (--with-entra)."}

It takes up to 20 minutes and costs less than one euro. Everything is removed at the end, also after
a failure and Ctrl-C. The account of az or the environment needs the role Owner, or Contributor and
Role Based Access Control Administrator.${options.withEntra ? " In Entra it needs the role Application Developer." : ""}
`);
}

async function inGroup(
  options: Options,
  connection: Connection,
  progress: Progress,
  environment: Surroundings,
): Promise<void> {
  const { subscription, group, region } = progress.run;
  const { print, now } = environment;
  const deadline = now() + MINUTES * 60_000;
  const root = `/subscriptions/${subscription}`;
  await connection.done("POST", `${root}/providers/Microsoft.EventGrid/register`);
  await registered(connection, `${root}/providers/Microsoft.EventGrid`);
  const webhook = options.webhook === undefined ? undefined : await Webhook.start(options.port);
  if (webhook) webhook.answer = confirmValidation;
  // cdktf takes seconds to load.
  const { runStacks } = await import("./stacks.js");
  const stacks = runStacks(options, progress, environment);
  // A failure of the rows must not hide one of the stacks.
  stacks.catch(() => {});
  const translation = new Translation(subscription, group, region, options.webhook);
  const shared = new Shared(connection, translation);
  try {
    await shared.open();
    const place = {
      shared,
      webhook,
      withEntra: options.withEntra,
      counts: { names: progress.starts * 10_000, namespaces: 0 },
    };
    let done = 0;
    await runRows(
      place,
      progress.isDone,
      () => now() < deadline,
      (result) => {
        progress.addRow(result);
        if (result.status === "different" || result.status === "failed") {
          print(`${result.status}: ${result.area}: ${result.input}`);
        }
        if (++done % 50 === 0) print(`${done} rows`);
      },
    );
  } finally {
    await webhook?.[Symbol.asyncDispose]();
    await stacks;
  }
}

/** Waits until the provider is registered, which takes minutes in a new subscription. */
async function registered(connection: Connection, provider: string): Promise<void> {
  for (;;) {
    const { body } = await connection.call("GET", provider);
    if (Object(body).registrationState === "Registered") return;
    await connection.surroundings.wait(10_000);
  }
}

/** Removes what the run has created. `false` if something may be left. */
async function removed(
  { subscription, withEntra }: Pick<Options, "subscription" | "withEntra">,
  connection: Connection,
  group: string,
  print: (line: string) => void,
): Promise<boolean> {
  try {
    if (withEntra) await removeApplications(connection, group);
    await removeGroup(connection, subscription, group);
    print(`Removed ${group}. Nothing is left.`);
    return true;
  } catch (error) {
    print(
      `Not removed: ${textOf(error)}\nRun npm run azure -- --subscription ${subscription} --clean`,
    );
    return false;
  }
}

async function clean(
  { subscription, withEntra, yes }: Options,
  connection: Connection,
  { print, confirm }: Surroundings,
): Promise<number> {
  const groups = await leftGroups(connection, subscription);
  const applications = withEntra ? await leftApplications(connection) : [];
  const names = [...groups, ...applications.map(({ displayName }) => displayName)];
  if (names.length === 0) {
    print("Nothing is left.");
    return 0;
  }
  print(`Left by runs:\n${names.map((name) => `  ${name}`).join("\n")}`);
  if (!(yes || (await confirm("Remove them?")))) return 2;
  let isClean = true;
  for (const group of groups) {
    isClean =
      (await removed({ subscription, withEntra: false }, connection, group, print)) && isClean;
  }
  if (withEntra) await removeApplications(connection, PREFIX);
  return isClean ? 0 : 1;
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
