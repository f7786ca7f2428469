import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { ContainerClient } from "@azure/storage-blob";

/** The key of Azurite's only account, which its documentation publishes. */
const KEY =
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/** A blob storage emulator, running. */
export interface Azurite extends AsyncDisposable {
  readonly connectionString: string;
  /** Creates a container. */
  createContainer(name: string): Promise<ContainerClient>;
}

/** Starts Azurite's blob service with its data in memory. */
export async function startAzurite(): Promise<Azurite> {
  const program = createRequire(import.meta.url).resolve("azurite/dist/src/blob/main.js");
  const flags = ["--blobPort", "0", "--inMemoryPersistence", "--disableTelemetry"];
  const child = spawn(process.execPath, [program, ...flags, "--skipApiVersionCheck"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const origin = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const [, url] = /successfully listens on (http:\S+)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", () => reject(new Error(`Azurite did not start: ${text}`)));
  });
  const account = "devstoreaccount1";
  const connectionString =
    `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${KEY};` +
    `BlobEndpoint=${origin}/${account};`;
  return {
    connectionString,
    createContainer: async (name) => {
      const client = new ContainerClient(connectionString, name);
      await client.create();
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
