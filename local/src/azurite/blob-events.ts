import { randomUUID } from "node:crypto";
import type { BlobProperties } from "./azurite-client.js";
import type { BlobRequest } from "./blob-request.js";

/** An event of a storage account. */
export type BlobEvent = ReturnType<typeof eventOf>;

/** The properties in an event; those that are not known are missing. */
type KnownProperties = Partial<BlobProperties> & { readonly previousTier?: string | undefined };

/** An operation that has succeeded. */
export interface CompletedOperation extends BlobRequest {
  /** Origin of the endpoint as the client addresses it. */
  readonly origin: string;
  readonly requestId: string | undefined;
  readonly status: number;
  /** Before the operation; `undefined` for a new blob. */
  readonly before: BlobProperties | undefined;
  /** After the operation; `undefined` for a deleted blob. */
  readonly after: BlobProperties | undefined;
}

/**
 * The events of an operation, with the data of Microsoft's samples.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage
 */
export function blobEvents(operation: CompletedOperation): BlobEvent[] {
  const { api, before, after, status } = operation;
  const event = (type: string, properties: KnownProperties) =>
    eventOf(`Microsoft.Storage.${type}`, operation, properties);
  if (api === "DeleteBlob") {
    const { contentType, blobType } = before ?? {};
    return [event("BlobDeleted", { contentType, blobType })];
  }
  if (api !== "SetBlobTier") return [event("BlobCreated", after ?? {})];
  const { contentType, contentLength, blobType, accessTier } = after ?? {};
  const content = { contentType, contentLength, blobType };
  const changed = event("BlobTierChanged", {
    ...content,
    accessTier,
    previousTier: before?.accessTier,
  });
  // 202: the blob leaves the archive tier. In Azurite, unlike in Azure, it has then already left it.
  return status === 202 ? [event("AsyncOperationInitiated", content), changed] : [changed];
}

function eventOf(
  type: string,
  { api, address, origin, clientRequestId, requestId }: CompletedOperation,
  properties: KnownProperties,
) {
  const { account, container, blob, path } = address;
  const { eTag, contentType, contentLength, blobType, accessTier, previousTier } = properties;
  return {
    type,
    /** Name of the account in Azurite. */
    account,
    subject: `/blobServices/default/containers/${container}/blobs/${blob}`,
    // In the order of Azure's events, without sequencer, which only the receiver of the event knows.
    data: {
      api,
      clientRequestId,
      requestId,
      eTag,
      contentType,
      contentLength,
      blobType,
      accessTier,
      previousTier,
      url: `${origin}${path}`,
      storageDiagnostics: { batchId: randomUUID() },
    },
  };
}
