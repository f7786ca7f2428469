import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { Readable } from "node:stream";
import { BlockBlobClient, ContainerClient, ContainerSASPermissions } from "@azure/storage-blob";
import { describe, expect, it } from "vitest";
import { sharedAzurite, startAzurite } from "../../support/azurite.js";
import { startCloud } from "../support/cloud.js";
import { listen } from "../support/listen.js";
import { recordEvents, startContainer } from "./start-storage.js";

/** The URL of a container or blob with the right to write for a minute. */
const writable = (client: Pick<ContainerClient, "generateSasUrl">) =>
  client.generateSasUrl({
    permissions: ContainerSASPermissions.parse("cw"),
    expiresOn: new Date(Date.now() + 60_000),
  });

/** A cloud in front of an Azurite of its own, which the test stops. */
async function startStoppable() {
  const azurite = await startAzurite();
  const cloud = await startCloud({
    azurite: azurite.blobUrl,
    storageConnectionString: azurite.connectionString,
  });
  return { azurite, cloud, events: await recordEvents(cloud) };
}

describe("the blob endpoint in front of Azurite", () => {
  it("passes streams, ranges, metadata and conditions on", async () => {
    const { container } = await startContainer();
    const content = randomBytes(300_000);
    const blob = container.getBlockBlobClient("orders/17");
    await blob.uploadStream(Readable.from([content]), 100_000, 2, { metadata: { shop: "bern" } });
    expect(await blob.downloadToBuffer(199_990, 20)).toEqual(content.subarray(199_990, 200_010));
    expect((await blob.downloadToBuffer()).equals(content)).toBe(true);
    const { metadata, etag, contentLength } = await blob.getProperties();
    expect({ metadata, contentLength }).toEqual({
      metadata: { shop: "bern" },
      contentLength: 300_000,
    });
    const unchanged = blob.download(0, 1, { conditions: { ifNoneMatch: etag ?? "" } });
    await expect(unchanged).rejects.toMatchObject({ statusCode: 304 });
    const missing = container.getBlobClient("none").download();
    await expect(missing).rejects.toMatchObject({ statusCode: 404, code: "BlobNotFound" });
  });

  it("accepts shared access signatures, and causes events of their uploads", async () => {
    const { container, events } = await startContainer();
    const sas = await writable(container);
    const blob = new ContainerClient(sas).getBlockBlobClient("orders/17");
    await blob.upload("12", 2);
    expect(await events()).toMatchObject([{ data: { api: "PutBlob", contentLength: 2 } }]);
    // A handler of the event must not learn the signature.
    expect((await events())[0]?.data.url).toBe(`${container.url}/orders/17`);
  });

  it("reads the account from host names such as Azure's, as Azurite does", async () => {
    const { container, scope, events } = await startContainer();
    const sas = await writable(container);
    const { port, search } = new URL(sas);
    const host = "devstoreaccount1.blob.localhost";
    const path = `/${container.containerName}/orders/17`;
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      path: `${path}${search}`,
      method: "PUT",
      headers: { host, "x-ms-blob-type": "BlockBlob", "content-length": "2" },
    });
    request.end("12");
    const [response] = await once(request, "response");
    response.resume();
    expect(response.statusCode).toBe(201);
    expect(await events()).toMatchObject([
      {
        source: scope,
        subject: `/blobServices/default/containers/${container.containerName}/blobs/orders/17`,
        data: { contentLength: 2, url: `http://${host}${path}` },
      },
    ]);
  });

  it("passes 100 Continue on, and Azurite's refusals of bodies that are still being sent", async () => {
    const { container, events } = await startContainer();
    const sas = await writable(container.getBlockBlobClient("orders/17"));
    const put = async (url: string, headers: Record<string, string>) => {
      const expectation = { expect: "100-continue", "x-ms-blob-type": "BlockBlob" };
      const request = httpRequest(url, { method: "PUT", headers: { ...expectation, ...headers } });
      const answered = once(request, "response");
      request.flushHeaders();
      await once(request, "continue");
      request.write("123");
      request.end("45");
      const [response] = await answered;
      response.resume();
      return response.statusCode;
    };
    expect(await put(sas, { "content-length": "5" })).toBe(201);
    const chunked = { "transfer-encoding": "chunked" };
    expect(await put(sas, chunked)).toBe(400);
    expect(await put(sas.replace(/sig=[^&]*/, "sig=AAAA"), { "content-length": "5" })).toBe(403);
    expect(await events()).toMatchObject([{ data: { contentLength: 5 } }]);
  });

  it("answers 502 with the reason while Azurite is stopped, and raises no event", async () => {
    const { azurite, cloud, events } = await startStoppable();
    const blob = new BlockBlobClient(cloud.storageConnectionString, "orders", "17");
    await azurite[Symbol.asyncDispose]();
    await expect(blob.upload("1", 1)).rejects.toMatchObject({
      statusCode: 502,
      code: "AzuriteUnreachable",
      message: expect.stringContaining(`Azurite does not answer at ${azurite.blobUrl}`),
    });
    expect(await events()).toEqual([]);
  });

  it("ends an upload with an error when Azurite stops in the middle of it", async () => {
    const { azurite, cloud, events } = await startStoppable();
    await azurite.createContainer("orders");
    const blob = new BlockBlobClient(cloud.storageConnectionString, "orders", "17", {
      retryOptions: { maxTries: 1 },
    });
    const body = new Readable({ read() {} });
    body.push(Buffer.alloc(1_000_000));
    const upload = blob.upload(() => body, 2_000_000);
    const failed = expect(upload).rejects.toMatchObject({ code: "AzuriteUnreachable" });
    await azurite[Symbol.asyncDispose]();
    body.push(Buffer.alloc(1_000_000));
    body.push(null);
    await failed;
    expect(await events()).toEqual([]);
  });

  it("lets other operations on a blob complete while an upload of it stalls", async () => {
    const { container, events } = await startContainer();
    const blob = container.getBlockBlobClient("orders/17");
    const body = new Readable({ read() {} });
    body.push(Buffer.alloc(1_000_000));
    const stalled = blob.upload(() => body, 2_000_000);
    await blob.upload("1", 1);
    await blob.delete();
    body.push(Buffer.alloc(1_000_000));
    body.push(null);
    await stalled;
    expect(await events()).toMatchObject([
      { data: { api: "PutBlob", contentLength: 1 } },
      { data: { api: "DeleteBlob" } },
      { data: { api: "PutBlob", contentLength: 2_000_000 } },
    ]);
  });

  it("completes more uploads of a blob than it has connections", async () => {
    const { container, events } = await startContainer();
    const blob = container.getBlockBlobClient("orders/17");
    const bodies = Array.from({ length: 140 }, (_, at) => Buffer.alloc(at % 2 ? 1 : 100_000));
    await Promise.all(bodies.map((body) => blob.upload(body, body.length)));
    expect(await events()).toHaveLength(bodies.length);
  });

  it("raises no event when the client goes away before the end of the upload", async () => {
    const { cloud, container, events } = await startContainer();
    const url = await writable(container.getBlockBlobClient("orders/17"));
    const request = httpRequest(url, {
      method: "PUT",
      headers: { "x-ms-blob-type": "BlockBlob", "content-length": "10" },
    });
    request.on("error", () => {});
    request.write("12345");
    await new Promise((resolve) => request.once("socket", resolve));
    request.destroy();
    // The endpoint and Azurite still serve the same blob.
    const other = new BlockBlobClient(
      cloud.storageConnectionString,
      container.containerName,
      "orders/17",
    );
    await other.upload("1", 1);
    expect(await events()).toMatchObject([{ data: { contentLength: 1 } }]);
  });
});

describe("the option azurite", () => {
  it("refuses the address of another service", async () => {
    const other = await listen(createServer((_, response) => response.end()));
    await expect(startCloud({ azurite: `http://${other}` })).rejects.toMatchObject({
      code: "ERR_AZURITE",
      message: expect.stringContaining("not Azurite's blob service"),
    });
    const { connectionString } = await sharedAzurite();
    const queue = /QueueEndpoint=(http:\/\/[^/]+)/.exec(connectionString)?.[1] ?? "";
    await expect(startCloud({ azurite: queue })).rejects.toThrow("Azurite-Queue");
  });

  it("refuses an address where nothing answers, and one that is no service's", async () => {
    await expect(startCloud({ azurite: "http://127.0.0.1:2" })).rejects.toMatchObject({
      code: "ERR_AZURITE",
      message: expect.stringMatching(/127\.0\.0\.1:2: connect ECONNREFUSED.*Start it/),
    });
    await expect(startCloud({ azurite: "127.0.0.1:10000" })).rejects.toThrow(
      "azurite must be the address of Azurite's blob service",
    );
    const url = "http://127.0.0.1:10000/devstoreaccount1";
    await expect(startCloud({ azurite: { url } })).rejects.toThrow("azurite.url must be");
  });

  it("refuses a connection string of another storage service", async () => {
    const storageConnectionString =
      "AccountName=shop;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:20000/shop;QueueEndpoint=http://127.0.0.1:20001/shop";
    const started = startCloud({ azurite: "http://localhost:10000", storageConnectionString });
    await expect(started).rejects.toMatchObject({ code: "ERR_OPTIONS" });
    await expect(started).rejects.toThrow(
      "storageConnectionString is http://127.0.0.1:20000, but azurite is http://localhost:10000",
    );
  });
});
