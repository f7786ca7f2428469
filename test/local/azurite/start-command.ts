import { sharedAzurite } from "../../support/azurite.js";
import { jsonOf, outputOf, runConfigured } from "../support/command.js";

const SCOPE =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/devstoreaccount1";

/** The command in front of Azurite, with a subscription for its events. */
export async function startStorageCommand() {
  const azurite = await sharedAzurite();
  const destination = { endpointType: "StorageQueue", properties: { queueName: "uploads" } };
  const command = runConfigured(
    {
      storageConnectionString: azurite.connectionString,
      eventSubscriptions: [{ name: "uploads", scope: SCOPE, destination }],
    },
    ...["--azurite", azurite.blobUrl],
  );
  const { directory } = command;
  const [, connectionString = ""] = await command.printed(
    /export AZURE_STORAGE_CONNECTION_STRING='([^']+)'/,
  );
  const subjects = async () => {
    await outputOf(directory, "drain");
    const messages: { event: { subject: string } }[] = await jsonOf(directory, "messages");
    return messages.map(({ event }) => event.subject);
  };
  return { azurite, command, connectionString, subjects };
}
