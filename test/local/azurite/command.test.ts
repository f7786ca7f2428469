import { BlockBlobClient } from "@azure/storage-blob";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command.js";
import { startStorageCommand } from "./start-command.js";

describe("the command with --azurite", () => {
  it("prints the blob endpoint and its environment, and puts messages into Azurite's queue", async () => {
    const { azurite, command, connectionString, subjects } = await startStorageCommand();
    const [, endpoint] = await command.printed(
      /blobs +(http:\/\/127\.0\.0\.1:\d+\/devstoreaccount1)/,
    );
    expect(connectionString).toContain(`BlobEndpoint=${endpoint};`);
    expect(connectionString).toContain(/QueueEndpoint=[^;]+/.exec(azurite.connectionString)?.[0]);
    await azurite.createContainer("from-command");
    await new BlockBlobClient(connectionString, "from-command", "17").upload("1", 1);
    expect(await subjects()).toEqual(["/blobServices/default/containers/from-command/blobs/17"]);
  });

  it("exits with code 1 and the reason if nothing answers there", async () => {
    const command = runCommand(["--azurite", "http://127.0.0.1:2"]);
    expect(await command.exitCode).toBe(1);
    expect(command.err()).toMatch(/^cloud-eventgrid-local: Azurite does not answer at http:/);
  });
});
