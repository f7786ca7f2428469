import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { itWith } from "../../support/describe-with.js";
import { emptyDirectory } from "../support/command.js";
import { runShell } from "../support/run-program.js";
import { startStorageCommand } from "./start-command.js";
import { startContainer } from "./start-storage.js";

describe("the blob endpoint", () => {
  itWith("az", "raises the events of az storage blob upload", async () => {
    const { azurite, connectionString, subjects } = await startStorageCommand();
    await azurite.createContainer("from-az");
    await runShell(
      "az storage blob upload --container-name from-az --name orders/17.json --data '{}'",
      { AZURE_STORAGE_CONNECTION_STRING: connectionString, HOME: emptyDirectory() },
    );
    expect(await subjects()).toEqual([
      "/blobServices/default/containers/from-az/blobs/orders/17.json",
    ]);
  });

  it("raises one event for each of 1,000 parallel uploads, in the sequence of each blob", async () => {
    const { container, events } = await startContainer();
    const uploads = Array.from({ length: 1_000 }, async (_, index) => {
      const blob = container.getBlockBlobClient(`blob-${index % 100}`);
      const { requestId } = await blob.upload(`${index}`, Buffer.byteLength(`${index}`));
      return requestId;
    });
    const requestIds = await Promise.all(uploads);

    const raised = await events();
    expect(new Set(raised.map(({ data }) => data.requestId))).toEqual(new Set(requestIds));
    expect(raised).toHaveLength(1_000);
    expect(new Set(raised.map(({ data }) => data.sequencer)).size).toBe(1_000);
    // The latest event of each blob is that of the content which it has.
    const latest = new Map(raised.map(({ subject, data }) => [subject, data.eTag]));
    for await (const { name, properties } of container.listBlobsFlat()) {
      const subject = `/blobServices/default/containers/${container.containerName}/blobs/${name}`;
      expect(latest.get(subject)).toBe(properties.etag.replaceAll('"', ""));
    }
    expect(latest.size).toBe(100);
  });

  it("passes 200 MB on without keeping them in memory", async () => {
    const { container, events } = await startContainer();
    const chunk = randomBytes(64 * 1024);
    const size = 3_200 * chunk.byteLength;
    let peak = 0;
    const before = process.memoryUsage.rss();
    function* content() {
      for (let sent = 0; sent < size; sent += chunk.byteLength) {
        peak = Math.max(peak, process.memoryUsage.rss() - before);
        yield chunk;
      }
    }
    const blob = container.getBlockBlobClient("large");
    await blob.upload(() => Readable.from(content(), { objectMode: false }), size);
    let received = 0;
    for await (const part of (await blob.download()).readableStreamBody ?? []) {
      peak = Math.max(peak, process.memoryUsage.rss() - before);
      received += part.length;
    }
    expect(received).toBe(size);
    expect(await events()).toMatchObject([{ data: { contentLength: size } }]);
    expect(peak).toBeLessThan(130_000_000);
  });
});
