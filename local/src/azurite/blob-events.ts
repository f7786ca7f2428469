import { randomUUID } from "node:crypto";
import type { NamedBlob } from "./blob-address.js";
import type { BlobOperation } from "./blob-operation.js";

/** An event of a storage account. */
export interface BlobEvent {
  readonly type: string;
  /** Name of the account in Azurite. */
  readonly account: string;
  readonly subject: string;
  /** Without `sequencer`, which only the receiver of the event knows. */
  readonly data: BlobEventData;
}

/** Fields that are not known are missing. */
export interface BlobEventData {
  readonly api: BlobOperation;
  readonly clientRequestId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly eTag?: string | undefined;
  readonly contentType?: string | undefined;
  readonly contentLength?: number | undefined;
  readonly blobType?: string | undefined;
  readonly accessTier?: string | undefined;
  readonly previousTier?: string | undefined;
  readonly url: string;
  readonly storageDiagnostics: { readonly batchId: string };
}

/** The properties of a blob, as its headers name them. */
export interface BlobProperties {
  readonly eTag: string | undefined;
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  readonly blobType: string | undefined;
  readonly accessTier: string | undefined;
}

/** An operation that has succeeded. */
export interface CompletedOperation {
  readonly api: BlobOperation;
  readonly address: NamedBlob;
  /** Origin of the endpoint as the client addresses it. */
  readonly origin: string;
  readonly clientRequestId: string | undefined;
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
  const event = (type: string, properties: Partial<BlobEventData>) =>
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
  properties: Partial<BlobEventData>,
): BlobEvent {
  const { account, container, blob, path } = address;
  const { eTag, contentType, contentLength, blobType, accessTier, previousTier } = properties;
  return {
    type,
    account,
    subject: `/blobServices/default/containers/${container}/blobs/${blob}`,
    // In the order of Azure's events.
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
