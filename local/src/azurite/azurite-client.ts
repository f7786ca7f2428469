import * as http from "node:http";
import * as https from "node:https";
import { rootCertificates } from "node:tls";
import { LocalCloudError, SECOND_MS, socketHost } from "../base/index.js";
import { sharedKeyAuthorization } from "../storage/index.js";
import type { AzuriteSettings } from "./azurite-options.js";
import type { NamedBlob } from "./blob-request.js";

/** A version of the API that Azurite has supported for years. */
const VERSION = "2021-12-02";

const START_TIMEOUT_MS = 5_000;

/** Fewer than the connections that may wait for Azurite to accept them. */
const MAX_CONNECTIONS = 128;

/**
 * The connections of a request. Those for operations that cause events are limited. An upload may
 * wait for an operation on the same blob, and that one for properties: both have connections of their
 * own.
 */
type Connections = "others" | "uploads" | "operations" | "properties";

/** Calls Azurite's blob service. */
export class AzuriteClient {
  readonly #agents: Readonly<Record<Connections, http.Agent>>;

  /** @param ca certificates to trust in addition to the public ones */
  constructor(
    private readonly settings: AzuriteSettings,
    ca: readonly string[],
  ) {
    const trusted = ca.length > 0 ? { ca: [...rootCertificates, ...ca] } : {};
    const agent = (maxSockets: number) => {
      const options = { keepAlive: true, maxSockets, ...trusted };
      const created =
        settings.url.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
      // A connection is used once, because Azurite may close an idle one while an upload begins. With
      // keep-alive Azurite first reads all of an upload that it refuses: the response is not lost.
      created.keepSocketAlive = () => false;
      return created;
    };
    this.#agents = {
      others: agent(Number.POSITIVE_INFINITY),
      uploads: agent(MAX_CONNECTIONS),
      operations: agent(MAX_CONNECTIONS),
      properties: agent(MAX_CONNECTIONS),
    };
  }

  /** Begins a request. Its headers are sent as they are. */
  begin(
    method: string,
    path: string,
    headers: readonly string[],
    connections: Connections = "others",
  ): http.ClientRequest {
    const { protocol, hostname, port } = this.settings.url;
    return (protocol === "https:" ? https : http).request({
      protocol,
      hostname: socketHost(hostname),
      port,
      path,
      method,
      headers,
      agent: this.#agents[connections],
    });
  }

  /**
   * Reads the properties of a blob.
   *
   * @param host by which the client addresses it, which may name the account
   * @returns undefined if the blob does not exist, or the account's key is not known
   */
  async properties(
    { account, path }: NamedBlob,
    host: string,
  ): Promise<BlobProperties | undefined> {
    const key = this.settings.keyOf(account);
    if (key === undefined) return undefined;
    const url = new URL(path, this.settings.url);
    const signed = { "x-ms-date": new Date().toUTCString(), "x-ms-version": VERSION };
    const authorization = sharedKeyAuthorization(
      { account, key },
      { method: "HEAD", url, headers: signed, body: "" },
    );
    const headers = Object.entries({ host, ...signed, authorization }).flat();
    const request = this.begin("HEAD", url.pathname, headers, "properties");
    const answer = await answerTo(request.end());
    answer.resume();
    return answer.statusCode === 200 ? propertiesIn(answer.headers) : undefined;
  }

  /** @throws LocalCloudError `ERR_AZURITE` if its blob service does not answer at the URL */
  async checkRunning(): Promise<void> {
    const { url } = this.settings;
    const request = this.begin("GET", "/?comp=list", ["host", url.host]);
    request.setTimeout(START_TIMEOUT_MS, () =>
      request.destroy(new Error(`no response within ${START_TIMEOUT_MS / SECOND_MS} s`)),
    );
    let server: string | undefined;
    try {
      const answer = await answerTo(request.end());
      server = answer.headers.server?.toString();
      answer.destroy();
    } catch (cause) {
      throw new LocalCloudError("ERR_AZURITE", notReached(url, cause), { cause });
    }
    if (server?.startsWith("Azurite-Blob/")) return;
    throw new LocalCloudError(
      "ERR_AZURITE",
      `What answers at ${url.origin} is ${server ? `'${server}'` : "another server"}, not Azurite's blob service. Use the address that Azurite prints for its blob service, usually http://127.0.0.1:10000.`,
    );
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** Resolves with the head of the response. */
export function answerTo(request: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", (response) => {
      // Without a listener, a connection that breaks would end the process.
      response.on("error", () => {});
      resolve(response);
    });
    // The listener stays: the connection may also fail later.
    request.on("error", reject);
  });
}

/** Why Azurite did not answer, and what to do. */
export function notReached({ origin }: URL, error: unknown): string {
  // The attempts for all addresses of a name fail together, without a message.
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const reason = error instanceof Error ? error.message || code : String(error);
  return `Azurite does not answer at ${origin}: ${reason}. Start it, for example with npx azurite, or correct its address.`;
}

/** The properties of a blob, as its headers name them. */
export type BlobProperties = ReturnType<typeof propertiesIn>;

function propertiesIn(headers: http.IncomingHttpHeaders) {
  const value = (name: string) => headers[name]?.toString();
  const length = value("content-length");
  const isInferred = value("x-ms-access-tier-inferred") === "true";
  return {
    eTag: value("etag")?.replaceAll('"', ""),
    contentType: value("content-type"),
    contentLength: length === undefined ? undefined : Number(length),
    blobType: value("x-ms-blob-type"),
    accessTier: isInferred ? "Default" : value("x-ms-access-tier"),
  };
}
