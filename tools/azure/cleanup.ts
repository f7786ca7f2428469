import type { Connection } from "./connection.js";
import type { Options } from "./options.js";
import { PREFIX } from "./translation.js";

/** Asks, and removes what killed runs have left. @returns the exit code */
export async function clean(options: Options, connection: Connection): Promise<number> {
  const { print, confirm } = connection.surroundings;
  const all = await listed(connection, `/subscriptions/${options.subscription}/resourceGroups`);
  const groups = all.flatMap(({ name = "" }) => (name.startsWith(PREFIX) ? name : []));
  const applications = options.withEntra ? await applicationsOf(connection, PREFIX) : [];
  const names = [...groups, ...applications.map(({ displayName }) => displayName)];
  if (names.length === 0) {
    print("Nothing is left.");
    return 0;
  }
  print(`Left by runs:\n${names.map((name) => `  ${name}`).join("\n")}`);
  if (!(options.yes || (await confirm("Remove them?")))) return 2;
  if (options.withEntra) await removeApplications(connection, PREFIX);
  let isClean = true;
  for (const group of groups) {
    isClean = (await removeRun({ ...options, withEntra: false }, connection, group)) && isClean;
  }
  return isClean ? 0 : 1;
}

/** Removes what a run has created, and says so. `false` if something may be left. */
export async function removeRun(
  { subscription, withEntra }: Options,
  connection: Connection,
  group: string,
): Promise<boolean> {
  const { print } = connection.surroundings;
  const id = `/subscriptions/${subscription}/resourceGroups/${group}`;
  try {
    if (withEntra) await removeApplications(connection, group);
    const answer = await connection.call("DELETE", id);
    if (answer.status !== 404) await connection.succeeded(answer, `DELETE ${id}`);
    const { status } = await connection.call("GET", id);
    if (status !== 404) throw new Error(`The resource group ${group} still exists.`);
    print(`Removed ${group}. Nothing is left.`);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    print(`Not removed: ${reason}\nRun npm run azure -- --subscription ${subscription} --clean`);
    return false;
  }
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

async function removeApplications(connection: Connection, prefix: string): Promise<void> {
  for (const { id } of await applicationsOf(connection, prefix)) {
    await connection.done("DELETE", `/v1.0/applications/${id}`);
  }
}
