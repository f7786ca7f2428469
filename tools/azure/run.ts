import { Webhook } from "../../test/local/support/webhook.js";
import { Connection, type Surroundings } from "./connection.js";
import { agrees, type Options } from "./options.js";
import { Progress, writeReport } from "./results.js";
import { runRows } from "./rows.js";
import { Shared } from "./shared.js";
import { PREFIX, randomLetters, Translation } from "./translation.js";

/** Rows start until this time after the beginning. */
const MINUTES = 13;

/** Runs everything, and removes what it created. @returns the exit code */
export async function run(options: Options, surroundings: Surroundings): Promise<number> {
  const { subscription } = options;
  const { directory, interrupted } = surroundings;
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
  await new Connection(surroundings).done("PUT", id, { location: begun.region });
  const progress = earlier ?? new Progress(directory, begun);
  let hasFailed = true;
  try {
    await inGroup(options, surroundings, progress);
    hasFailed = progress.results.some(({ status }) => status === "failed");
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    if (!interrupted.aborted) console.log(`Stopped: ${reason}`);
  }
  if (interrupted.aborted) console.log("Interrupted: removing what was created.");
  const isClean = await remove(options, surroundings, [begun.group], begun.group);
  console.log(`${writeReport(directory, progress)}. See ${directory}/report.md.`);
  if (interrupted.aborted) return 130;
  return isClean && !hasFailed ? 0 : 1;
}

const announcement = ({ subscription, withEntra }: Options, group: string, region: string) =>
  `In the subscription ${subscription}, this creates in ${region}:

  the resource group ${group}, with everything else in it: at most 20 Event Grid namespaces,
  about 50 topics at a time, 400 event subscriptions, three storage accounts and two identities.
  Registrations of resource providers, which stay.
  ${withEntra ? `An application in Entra named ${group}-orders, with --webhook.` : "Nothing in Entra (--with-entra)."}

It takes up to 20 minutes and costs less than one euro. Everything is removed at the end, also after
a failure and Ctrl-C. The account of az or the environment needs the role Owner, or Contributor and
Role Based Access Control Administrator.${withEntra ? " In Entra it needs the role Application Developer." : ""}
`;

async function inGroup(options: Options, surroundings: Surroundings, progress: Progress) {
  const deadline = Date.now() + MINUTES * 60_000;
  const translation = new Translation(progress.run, options.webhook);
  const connection = new Connection(surroundings, translation);
  for (const name of ["Microsoft.EventGrid", "Microsoft.ManagedIdentity"]) {
    await register(connection, `/subscriptions/${options.subscription}/providers/${name}`);
  }
  await using webhook =
    options.webhook === undefined ? undefined : await Webhook.start(options.port);
  const rows = async () =>
    runRows(await Shared.open(connection, translation, webhook), progress, deadline);
  // cdktf takes seconds to load.
  const { runStacks } = await import("./stacks.js");
  // Neither stops for a failure of the other.
  const stacks = runStacks(options, progress, connection, translation);
  const ends = await Promise.allSettled([rows(), stacks]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Registers the provider, which takes minutes in a new subscription. */
async function register(connection: Connection, provider: string): Promise<void> {
  await connection.done("POST", `${provider}/register`);
  while (Object(await connection.done("GET", provider)).registrationState !== "Registered") {
    await connection.surroundings.wait(10_000);
  }
}

/** Asks, and removes what killed runs have left. @returns the exit code */
export async function clean(options: Options, surroundings: Surroundings): Promise<number> {
  const connection = new Connection(surroundings);
  const all = await listed(connection, `/subscriptions/${options.subscription}/resourceGroups`);
  const groups = all.flatMap(({ name = "" }) => (name.startsWith(PREFIX) ? name : []));
  const applications = options.withEntra ? await applicationsOf(connection, PREFIX) : [];
  const names = [...groups, ...applications.map(({ displayName }) => displayName)];
  if (names.length === 0) {
    console.log("Nothing is left.");
    return 0;
  }
  console.log(`Left by runs:\n${names.map((name) => `  ${name}`).join("\n")}`);
  if (!(await agrees(options, "Remove them?"))) return 2;
  return (await remove(options, surroundings, groups, PREFIX)) ? 0 : 1;
}

/** Removes groups, and applications by their prefix, and says so. `false` if something may be left. */
async function remove(
  { subscription, withEntra }: Options,
  surroundings: Surroundings,
  groups: readonly string[],
  prefix: string,
): Promise<boolean> {
  // Ctrl-C does not end the clean-up.
  const interrupted = new AbortController().signal;
  const connection = new Connection({ ...surroundings, interrupted });
  const removals = groups.map(async (group) => {
    const id = `/subscriptions/${subscription}/resourceGroups/${group}`;
    const answer = await connection.call("DELETE", id);
    if (answer.status !== 404) await connection.succeeded(answer, `DELETE ${id}`);
    const { status } = await connection.call("GET", id);
    if (status !== 404) throw new Error(`The resource group ${group} still exists.`);
    console.log(`Removed ${group}.`);
  });
  const removeApplications = async () => {
    for (const { id } of await applicationsOf(connection, prefix)) {
      await connection.done("DELETE", `/v1.0/applications/${id}`);
    }
  };
  const ends = await Promise.allSettled([...removals, withEntra && removeApplications()]);
  const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  for (const reason of reasons) console.log(`Not removed: ${reason.message ?? reason}`);
  const command = `npm run azure -- --subscription ${subscription} --clean`;
  const again = `Run ${command}${withEntra ? " --with-entra" : ""}`;
  console.log(reasons.length === 0 ? "Nothing is left." : again);
  return reasons.length === 0;
}

interface Listed {
  readonly id: string;
  readonly name?: string;
  readonly displayName?: string;
}

/** The entries of all pages of a list. */
async function listed(connection: Connection, path: string): Promise<readonly Listed[]> {
  const page = Object(await connection.done("GET", path));
  const next: string | undefined = page.nextLink ?? page["@odata.nextLink"];
  if (next === undefined) return page.value;
  const { pathname, search } = new URL(next);
  return [...page.value, ...(await listed(connection, `${pathname}${search}`))];
}

function applicationsOf(connection: Connection, prefix: string): Promise<readonly Listed[]> {
  const filter = encodeURIComponent(`startswith(displayName,'${prefix}')`);
  return listed(connection, `/v1.0/applications?$filter=${filter}`);
}
