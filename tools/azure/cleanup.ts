import type { Connection } from "./connection.js";
import { agrees, type Options } from "./options.js";
import { PREFIX } from "./translation.js";

/** Asks, and removes what killed runs have left. @returns the exit code */
export async function clean(options: Options, connection: Connection): Promise<number> {
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
  return (await remove(options, connection, groups, PREFIX)) ? 0 : 1;
}

/** Removes groups, and applications by their prefix, and says so. `false` if something may be left. */
export async function remove(
  { subscription, withEntra }: Options,
  connection: Connection,
  groups: readonly string[],
  prefix: string,
): Promise<boolean> {
  try {
    const applications = withEntra ? await applicationsOf(connection, prefix) : [];
    for (const { id } of applications) {
      await connection.done("DELETE", `/v1.0/applications/${id}`);
    }
    await Promise.all(
      groups.map(async (group) => {
        const id = `/subscriptions/${subscription}/resourceGroups/${group}`;
        const answer = await connection.call("DELETE", id);
        if (answer.status !== 404) await connection.succeeded(answer, `DELETE ${id}`);
        const { status } = await connection.call("GET", id);
        if (status !== 404) throw new Error(`The resource group ${group} still exists.`);
        console.log(`Removed ${group}.`);
      }),
    );
    console.log("Nothing is left.");
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    const command = `npm run azure -- --subscription ${subscription} --clean`;
    console.log(`Not removed: ${reason}\nRun ${command}${withEntra ? " --with-entra" : ""}`);
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
