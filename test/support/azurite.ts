import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { ContainerClient } from "@azure/storage-blob";

/** The key of Azurite's only account, which its documentation publishes. */
const KEY =
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/** A storage emulator, running. */
export interface Azurite extends AsyncDisposable {
  readonly connectionString: string;
  /** Address of its blob service. */
  readonly blobUrl: string;
  container(name: string): ContainerClient;
  /** Creates a container. */
  createContainer(name: string): Promise<ContainerClient>;
}

let shared: Promise<Azurite> | undefined;

/**
 * Azurite, which takes seconds to start, so that the files of a worker share one. What a test creates in it
 * needs a name of its own.
 */
export function sharedAzurite(): Promise<Azurite> {
  shared ??= startAzurite();
  return shared;
}

/** Ends a program when the one that has started it ends, even if that is killed. */
const ENDS_WITH_PARENT =
  "data:text/javascript,process.stdin.on('end',()=>process.exit()).resume().unref()";

/** Starts Azurite with its data in memory. */
export async function startAzurite(): Promise<Azurite> {
  const program = createRequire(import.meta.url).resolve("azurite/dist/src/azurite.js");
  const ports = ["--blobPort", "0", "--queuePort", "0", "--tablePort", "0"];
  const flags = ["--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck"];
  const node = ["--import", ENDS_WITH_PARENT, program];
  const child = spawn(process.execPath, [...node, ...ports, ...flags], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const [blob, queue] = await new Promise<string[]>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const urls = [...text.matchAll(/successfully listening at (http:\S+)\s/g)];
      if (urls.length === 3) resolve(urls.map(([, url = ""]) => url));
    });
    child.once("exit", () => reject(new Error(`Azurite did not start: ${text}`)));
  });
  const account = "devstoreaccount1";
  const connectionString =
    `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${KEY};` +
    `BlobEndpoint=${blob}/${account};QueueEndpoint=${queue}/${account};`;
  const container = (name: string) => new ContainerClient(connectionString, name);
  return {
    connectionString,
    blobUrl: blob ?? "",
    container,
    createContainer: async (name) => {
      const client = container(name);
      await client.create();
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
