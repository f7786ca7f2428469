import { describe, expect, it } from "vitest";
import { blobRequestOf } from "../../../local/src/azurite/blob-request.js";
import { azuriteSettings, clientConnectionString } from "../../../local/src/azurite/index.js";

const target = "/shop/orders/17.json";
const copy = { "x-ms-copy-source": "http://127.0.0.1/shop/orders/1" };

describe("a request to a storage account", () => {
  // https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage#available-event-types
  it.each<[string, string, Record<string, string>, string | undefined]>([
    ["PUT", target, { "x-ms-blob-type": "BlockBlob" }, "PutBlob"],
    ["PUT", target, { "x-ms-blob-type": "BlockBlob", ...copy }, "PutBlob"],
    ["PUT", target, copy, "CopyBlob"],
    ["PUT", target, {}, undefined],
    ["PUT", `${target}?comp=BlockList`, {}, "PutBlockList"],
    ["PUT", `${target}?comp=tier`, {}, "SetBlobTier"],
    ["PUT", `${target}?comp=tier&versionid=1`, {}, undefined],
    ["PUT", `${target}?comp=block`, { "x-ms-blob-type": "BlockBlob" }, undefined],
    ["DELETE", target, {}, "DeleteBlob"],
    ["DELETE", target, { "x-ms-delete-snapshots": "include" }, "DeleteBlob"],
    ["DELETE", target, { "x-ms-delete-snapshots": "only" }, undefined],
    ["DELETE", `${target}?snapshot=1`, {}, undefined],
    ["DELETE", `${target}?comp=lease`, {}, undefined],
    ["GET", target, {}, undefined],
  ])("%s %s with %j is the operation %s", (method, path, headers, api) => {
    expect(blobRequestOf(method, path, headers, "127.0.0.1")?.api).toBe(api);
  });

  it.each<[string, string, string | undefined]>([
    ["127.0.0.1:10000", "/shop/orders/a/b%20c", "shop orders a/b c"],
    ["localhost", "/shop/orders/a%5Cb", "shop orders a/b"],
    ["host.docker.internal:1", "/shop-secondary/orders/a?x=1", "shop orders a"],
    ["azurite", "/shop/orders/a", "shop orders a"],
    ["Shop.blob.localhost:1", "/orders/a", "shop orders a"],
    ["1.blob.localhost", "/orders/a", "1 orders a"],
    ["shop.blob.1", "/orders/a", "shop orders a"],
    ["127.0.0.1", "/a-secondary-b/orders/a", "a-secondary-b orders a"],
    ["127.0.0.1", "/shop/orders", undefined],
    ["127.0.0.1", "/shop/$logs/a", undefined],
    ["127.0.0.1", "/shop/$blobchangefeed/a", undefined],
  ])("%s %s is for the blob %s", (host, path, named) => {
    const request = blobRequestOf("DELETE", path, { "x-ms-client-request-id": "17" }, host);
    const { account, container, blob } = request?.address ?? {};
    expect(request && `${account} ${container} ${blob}`).toBe(named);
    if (request)
      expect([request.clientRequestId, request.address.path]).toEqual(["17", path.split("?")[0]]);
  });
});

describe("the storage account of Azurite", () => {
  it("has queues and tables at the ports after that of its blobs, and Azurite's key", () => {
    const { connection, keyOf, resourceIdOf } = azuriteSettings(
      { url: "http://[::1]", accounts: { shop: { key: "k", resourceId: "/id" } } },
      undefined,
      "SUB",
    );
    const { key } = connection;
    expect(key).toMatch(/^Eby8vdM02x/);
    expect(connection).toEqual({
      account: "devstoreaccount1",
      key,
      blobEndpoint: "http://[::1]/devstoreaccount1",
      queueEndpoint: "http://[::1]:81/devstoreaccount1",
      tableEndpoint: "http://[::1]:82/devstoreaccount1",
    });
    expect(["shop", "devstoreaccount1", "other"].map(keyOf)).toEqual(["k", key, undefined]);
    expect(resourceIdOf("shop")).toBe("/id");
    expect(resourceIdOf("other")).toBe(
      "/subscriptions/SUB/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/other",
    );
    expect(clientConnectionString(connection, "http://127.0.0.1:9")).toBe(
      `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${key};BlobEndpoint=http://127.0.0.1:9/devstoreaccount1;QueueEndpoint=http://[::1]:81/devstoreaccount1;TableEndpoint=http://[::1]:82/devstoreaccount1;`,
    );
  });

  it("is that of a connection string for the same port of this machine", () => {
    const named = (url: string) =>
      azuriteSettings(
        url,
        "AccountName=shop;AccountKey=a2V5;BlobEndpoint=https://localhost/shop;QueueEndpoint=https://localhost:1/shop",
        "",
      );
    for (const url of ["https://127.0.0.1", "https://[::1]:443", "https://localhost"]) {
      const { connection, keyOf } = named(url);
      expect(connection.account).toBe("shop");
      expect(keyOf("shop")).toBe("a2V5");
      expect(keyOf("devstoreaccount1")).toMatch(/^Eby8/);
    }
    for (const url of ["http://localhost:443", "https://localhost:444", "https://shop.test"])
      expect(() => named(url), url).toThrow("Leave storageConnectionString out");
  });
});
