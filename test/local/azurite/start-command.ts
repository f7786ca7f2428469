import { expect } from "vitest";
import { configure, emptyDirectory, runCommand } from "../support/command.js";
import { sharedAzurite } from "./start-storage.js";

const SCOPE =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/devstoreaccount1";

/** The command in front of Azurite, with a subscription for its events. */
export async function startStorageCommand() {
  const azurite = await sharedAzurite();
  const directory = emptyDirectory();
  configure(directory, {
    storageConnectionString: azurite.connectionString,
    eventSubscriptions: [
      { name: "uploads", scope: SCOPE, destination: { type: "StorageQueue", queue: "uploads" } },
    ],
  });
  const command = runCommand(["--azurite", azurite.blobUrl], directory);
  const [, connectionString = ""] = await command.printed(
    /export AZURE_STORAGE_CONNECTION_STRING='([^']+)'/,
  );
  const subjects = async () => {
    const drained = runCommand(["drain"], directory);
    expect(await drained.exitCode).toBe(0);
    const listed = runCommand(["messages", "--json"], directory);
    await listed.exitCode;
    return JSON.parse(listed.out()).map(
      ({ event }: { event: { subject: string } }) => event.subject,
    );
  };
  return { azurite, command, connectionString, subjects };
}
