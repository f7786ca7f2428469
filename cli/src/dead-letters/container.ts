import { withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import { isAddress } from "../address.js";
import { missingSignIn } from "../azure/index.js";
import { loadIdentity, optionalPeer } from "../optional-peer.js";
import { CommandError, shownUrl, UsageError } from "../terminal/index.js";
import { type DeadLetter, parseBlob } from "./dead-letter.js";
import { isReplayed, replayedIn, withMarks } from "./marks.js";

const loadStorage = () => import("@azure/storage-blob");
type ContainerClient = InstanceType<Awaited<ReturnType<typeof loadStorage>>["ContainerClient"]>;
type Items = ReturnType<ContainerClient["listBlobsFlat"]>;
type BlobItem = Items extends AsyncIterable<infer Item> ? Item : never;

export interface DeadLetterBlob {
  readonly name: string;
  readonly letters: readonly DeadLetter[];
  /** Names the content that is no dead letter; undefined if all of it is. */
  readonly problem?: string;
  /**
   * Keeps other replays from the blob while the work is done.
   *
   * @returns false when another replay has the blob, or has changed it since it was listed
   */
  reserve(work: (mark: Mark) => Promise<void>): Promise<boolean>;
}

/** Marks records of a blob as replayed. */
export type Mark = (indexes: readonly number[]) => Promise<void>;

export interface BlobSelection {
  /** Only blobs of this event subscription. */
  readonly subscription?: string | undefined;
  /** Only blobs written in or after the hour of this time. */
  readonly since?: Date | undefined;
  /** False leaves out blobs whose records are all marked as replayed, without reading them. */
  readonly replayed?: boolean | undefined;
}

export interface ContainerFlags {
  readonly container?: string;
  readonly containerEnv?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens a container: a URL with a shared access signature, a URL that `@azure/identity` signs in to,
 * or a name for `AZURE_STORAGE_CONNECTION_STRING`.
 */
export async function openContainer(
  { container, containerEnv }: ContainerFlags,
  env: Environment,
): Promise<DeadLetterContainer> {
  const given = containerEnv === undefined ? container : env[containerEnv];
  if (given === undefined || given === "") {
    throw new UsageError(
      containerEnv === undefined
        ? "give the dead-letter container with --container or --container-env"
        : `${containerEnv} is not set`,
    );
  }
  const storage = await optionalPeer("@azure/storage-blob", loadStorage);
  if (!given.startsWith("https://") && !given.startsWith("http://")) {
    const connection = env.AZURE_STORAGE_CONNECTION_STRING;
    if (!connection) {
      throw new UsageError(
        "a container's name needs AZURE_STORAGE_CONNECTION_STRING; otherwise give its URL",
      );
    }
    return new DeadLetterContainer(clientOf(storage, connection, given));
  }
  if (!URL.canParse(given)) throw new UsageError("the container's URL is not valid");
  if (!namesContainer(new URL(given))) {
    const example = "https://ACCOUNT.blob.core.windows.net/CONTAINER";
    throw new UsageError(`the URL ${shownUrl(given)} names no container: give ${example}`);
  }
  if (new URL(given).searchParams.has("sig")) {
    return new DeadLetterContainer(new storage.ContainerClient(given));
  }
  const { DefaultAzureCredential } = await loadIdentity();
  return new DeadLetterContainer(new storage.ContainerClient(given, new DefaultAzureCredential()));
}

/** Emulators have the account in the path, before the container. */
function namesContainer({ hostname, pathname }: URL): boolean {
  const parts = pathname.split("/").filter((part) => part !== "");
  return parts.length >= (hostname === "localhost" || isAddress(hostname) ? 2 : 1);
}

/** The errors of the SDK for a wrong connection string neither name it nor say what is wrong. */
function clientOf(
  { ContainerClient }: Awaited<ReturnType<typeof loadStorage>>,
  connection: string,
  container: string,
): ContainerClient {
  try {
    return new ContainerClient(connection, container);
  } catch {
    throw new UsageError(
      "AZURE_STORAGE_CONNECTION_STRING is not valid: copy it from " +
        "az storage account show-connection-string --name ACCOUNT",
    );
  }
}

export class DeadLetterContainer {
  constructor(private readonly client: ContainerClient) {}

  /** The container's URL without its signature. */
  get url(): string {
    return withoutEnd(shownUrl(this.client.url), "?…");
  }

  /** The dead-letter blobs in the order of their names; other files are left out. */
  async *blobs(selection: BlobSelection): AsyncGenerator<DeadLetterBlob> {
    const prefix = selection.subscription && `${selection.subscription.toUpperCase()}/`;
    const items = this.client.listBlobsFlat({ includeMetadata: true, ...(prefix && { prefix }) });
    const waiting: Promise<DeadLetterBlob>[] = [];
    try {
      for await (const item of items) {
        if (!isDeadLetterBlob(item.name, selection.since)) continue;
        if (selection.replayed === false && isReplayed(item.metadata ?? {})) continue;
        const read = this.#read(item);
        // A failure is reported when its turn comes.
        read.catch(() => undefined);
        waiting.push(read);
        if (waiting.length < DOWNLOADS) continue;
        const blob = await waiting.shift();
        if (blob !== undefined) yield blob;
      }
      for (const next of waiting) yield await next;
    } catch (error) {
      throw storageError(this.url, error);
    }
  }

  async #read({ name, metadata = {}, properties: { etag } }: BlobItem): Promise<DeadLetterBlob> {
    const client = this.client.getBlobClient(name);
    const text = (await client.downloadToBuffer()).toString("utf8");
    const replayed = replayedIn(metadata);
    const { records, ...parsed } = parseBlob(name, text, replayed);
    const reserve: DeadLetterBlob["reserve"] = async (work) => {
      const lease = client.getBlobLeaseClient();
      try {
        await lease.acquireLease(LEASE_SECONDS, { conditions: { ifMatch: etag } });
      } catch (error) {
        const { statusCode } = error as { statusCode?: number };
        if (statusCode === 409 || statusCode === 412) return false;
        throw storageError(`${this.url}/${name}`, error);
      }
      const renewal = setInterval(() => void lease.renewLease().catch(() => undefined), RENEWAL_MS);
      try {
        await work(async (indexes) => {
          for (const index of indexes) replayed.add(index);
          const marks = withMarks(metadata, replayed, records);
          const conditions = { leaseId: lease.leaseId };
          await client.setMetadata(marks, { conditions }).catch((error: unknown) => {
            throw storageError(`${this.url}/${name}`, error);
          });
        });
      } finally {
        clearInterval(renewal);
        // A lease that cannot be released ends by itself.
        await lease.releaseLease().catch(() => undefined);
      }
      return true;
    };
    return { name, ...parsed, reserve };
  }
}

/** The shortest lease of a blob, in seconds: a killed replay keeps its blobs as long. */
export const LEASE_SECONDS = 15;
const RENEWAL_MS = 5000;

/** Blobs that are downloaded at a time. */
const DOWNLOADS = 16;

/** Reports whether a name is `SUBSCRIPTION/year/month/day/hour/….json`, in or after the hour of `since`. */
function isDeadLetterBlob(name: string, since: Date | undefined): boolean {
  const [, year, month, day, hour, file, ...deeper] = name.split("/");
  const end = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour) + 1);
  if (Number.isNaN(end) || !file?.endsWith(".json") || deeper.length > 0) return false;
  return since === undefined || end > since.getTime();
}

/** Azure's reason for a failure, without the request that may contain a signature. */
function storageError(url: string, error: unknown): Error {
  if (error instanceof CommandError || !(error instanceof Error)) return error as Error;
  const signIn = missingSignIn(error);
  if (signIn !== undefined) return new CommandError(`${url}: ${signIn}`);
  const { statusCode, code, name } = error as { statusCode?: number; code?: string; name: string };
  const reason = [statusCode, code].filter(Boolean).join(" ") || name;
  const hint =
    statusCode === 403
      ? ": the role Storage Blob Data Reader is needed, for replay Storage Blob Data Contributor"
      : statusCode === 404
        ? ": check the account's and the container's name"
        : statusCode === 412
          ? ": another replay has taken the blob over"
          : `: ${error.message.split("\n")[0]?.replace(/\?\S*/g, "?…")}`;
  return new CommandError(`${url}: ${reason}${hint}`);
}
