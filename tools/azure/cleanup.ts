import type { Connection } from "./connection.js";
import { refuse } from "./connection.js";
import { PREFIX } from "./translation.js";

/** The resource groups of all runs. */
export async function leftGroups(connection: Connection, subscription: string): Promise<string[]> {
  const answer = await connection.call("GET", `/subscriptions/${subscription}/resourceGroups`);
  refuse(answer, "the list of resource groups");
  const groups: readonly { readonly name: string }[] = Object(answer.body).value;
  return groups.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
}

/** The applications of all runs, or of one. */
export async function leftApplications(
  connection: Connection,
  prefix = PREFIX,
): Promise<{ id: string; displayName: string }[]> {
  const filter = encodeURIComponent(`startswith(displayName,'${prefix}')`);
  const answer = await connection.call("GET", `/v1.0/applications?$filter=${filter}`);
  refuse(answer, "the list of applications");
  return Object(answer.body).value;
}

/** Deletes a resource group with everything in it, and makes sure that it is gone. */
export async function removeGroup(
  connection: Connection,
  subscription: string,
  group: string,
): Promise<void> {
  const id = `/subscriptions/${subscription}/resourceGroups/${group}`;
  const answer = await connection.call("DELETE", id);
  if (answer.status !== 404) {
    refuse(answer, `DELETE ${id}`);
    await connection.ended(answer, `DELETE ${id}`);
  }
  const { status } = await connection.call("GET", id);
  if (status !== 404) throw new Error(`The resource group ${group} still exists.`);
}

export async function removeApplications(connection: Connection, prefix: string): Promise<number> {
  const left = await leftApplications(connection, prefix);
  for (const { id } of left) await connection.call("DELETE", `/v1.0/applications/${id}`);
  return left.length;
}
