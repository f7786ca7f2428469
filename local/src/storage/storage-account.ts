import { type StorageConnection, storageConnectionIn } from "./connection-string.js";
import { sharedKeyAuthorization } from "./shared-key.js";

/** A version of the API that storage emulators also support. */
const VERSION = "2021-12-02";

export interface StorageAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
}

/** A storage account that is reached by its REST API, for example Azurite's. */
export class StorageAccount {
  readonly #connection: StorageConnection;

  /**
   * @param connection or a connection string
   * @throws TypeError for an invalid connection string
   */
  constructor(connection: string | StorageConnection) {
    const read = typeof connection === "string" ? storageConnectionIn(connection) : connection;
    if (!read) throw new TypeError("The connection string of the storage account is invalid.");
    this.#connection = read;
  }

  get name(): string {
    return this.#connection.account;
  }

  /** Writes a block blob, and creates its container if it is missing. Rejects without a response. */
  putBlob(container: string, blob: string, body: string): Promise<StorageAnswer> {
    const root = `${this.#connection.blobEndpoint}/${container}`;
    const path = blob.split("/").map(encodeURIComponent).join("/");
    const headers = { "content-type": "application/json", "x-ms-blob-type": "BlockBlob" };
    const put = () => this.#send("PUT", `${root}/${path}`, { headers, body });
    return this.#withParent(put, `${root}?restype=container`);
  }

  /**
   * Adds a message to a queue, and creates the queue if it is missing. Rejects without a response.
   *
   * @param text the message, which is sent in Base64 as by Event Grid
   * @param timeToLiveInSeconds -1 for ever
   */
  putMessage(
    queue: string,
    text: string,
    timeToLiveInSeconds: number,
    signal?: AbortSignal,
  ): Promise<StorageAnswer> {
    const root = `${this.#connection.queueEndpoint}/${queue}`;
    const body = `<QueueMessage><MessageText>${Buffer.from(text).toString("base64")}</MessageText></QueueMessage>`;
    const headers = { "content-type": "application/xml" };
    const url = `${root}/messages?messagettl=${timeToLiveInSeconds}`;
    return this.#withParent(() => this.#send("POST", url, { headers, body, signal }), root);
  }

  /** Resource Manager cannot create containers and queues in a storage emulator, so this does. */
  async #withParent(put: () => Promise<StorageAnswer>, parent: string): Promise<StorageAnswer> {
    const answer = await put();
    if (answer.status !== 404) return answer;
    await this.#send("PUT", parent, { headers: {}, body: "" });
    return put();
  }

  async #send(
    method: string,
    address: string,
    { headers: own, body, signal }: Content,
  ): Promise<StorageAnswer> {
    const url = new URL(address);
    // The service compares the date with its own clock, so it is the machine's.
    const date = new Date().toUTCString();
    const headers = { ...own, "x-ms-date": date, "x-ms-version": VERSION };
    const authorization = sharedKeyAuthorization(this.#connection, { method, url, headers, body });
    const response = await fetch(url, {
      method,
      headers: { ...headers, authorization },
      ...(body === "" ? {} : { body }),
      signal: signal ?? null,
    });
    return {
      url: address,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  }
}
