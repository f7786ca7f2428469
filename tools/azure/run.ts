import { confirmValidation, Webhook } from "../../test/local/support/webhook.js";
import { remove } from "./cleanup.js";
import { Connection } from "./connection.js";
import { agrees, type Options } from "./options.js";
import { Progress } from "./progress.js";
import { writeReport } from "./report.js";
import { runRows } from "./rows.js";
import { Shared } from "./shared.js";
import { PREFIX, randomLetters, Translation } from "./translation.js";

/** Runs everything, and removes what it created. @returns the exit code */
export async function run(options: Options, connection: Connection): Promise<number> {
  const { subscription } = options;
  const { directory, interrupted } = connection.surroundings;
  const earlier = options.continue ? Progress.continue(directory) : undefined;
  if (options.continue && earlier?.run.subscription !== subscription) {
    console.log(`There is no run of this subscription to continue in ${directory}.`);
    return 2;
  }
  const begun = earlier?.run ?? {
    subscription,
    region: options.region,
    group: `${PREFIX}${randomLetters(5)}`,
    date: new Date().toISOString().slice(0, 10),
  };
  console.log(announcement(options, begun.group, begun.region));
  if (!(await agrees(options, "Go on?"))) {
    console.log("Nothing was created.");
    return 2;
  }
  const id = `/subscriptions/${subscription}/resourceGroups/${begun.group}`;
  await connection.done("PUT", id, { location: begun.region });
  const progress = earlier ?? Progress.start(directory, begun);
  let hasFailed = false;
  try {
    await inGroup(options, connection, progress);
    hasFailed = progress.results.some(({ status }) => status === "failed");
  } catch (error) {
    hasFailed = true;
    const reason = error instanceof Error ? error.message : error;
    if (!interrupted.aborted) console.log(`Stopped: ${reason}`);
  }
  if (interrupted.aborted) console.log("Interrupted: removing what was created.");
  // Ctrl-C does not end the clean-up.
  const never = new AbortController().signal;
  const cleaning = new Connection({ ...connection.surroundings, interrupted: never });
  const isClean = await remove(options, cleaning, [begun.group], begun.group);
  console.log(`${writeReport(directory, progress)}. See ${directory}/report.md.`);
  if (interrupted.aborted) return 130;
  return isClean && !hasFailed ? 0 : 1;
}

const announcement = ({ subscription, withEntra }: Options, group: string, region: string) =>
  `In the subscription ${subscription}, this creates in ${region}:

  the resource group ${group}, with everything else in it: at most 20 Event Grid namespaces,
  about 100 topics, 400 event subscriptions, two storage accounts and two identities.
  ${withEntra ? `An application in Entra named ${group}-orders, with --webhook.` : "Nothing in Entra (--with-entra)."}

It takes up to 20 minutes and costs less than one euro. Everything is removed at the end, also after
a failure and Ctrl-C. The account of az or the environment needs the role Owner, or Contributor and
Role Based Access Control Administrator.${withEntra ? " In Entra it needs the role Application Developer." : ""}
`;

async function inGroup(options: Options, connection: Connection, progress: Progress) {
  const { subscription, group, region } = progress.run;
  await register(connection, `/subscriptions/${subscription}/providers/Microsoft.EventGrid`);
  const webhook = options.webhook === undefined ? undefined : await Webhook.start(options.port);
  if (webhook) webhook.answer = confirmValidation;
  // cdktf takes seconds to load.
  const { runStacks } = await import("./stacks.js");
  const translation = new Translation(subscription, group, region, options.webhook);
  const stacks = runStacks(options, progress, connection, translation);
  // The rows do not stop for a failure of the stacks, which is thrown at the end.
  const stacksEnd = stacks.catch(() => {});
  try {
    const shared = await Shared.open(connection, translation, webhook);
    await runRows(shared, progress, stacksEnd);
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
