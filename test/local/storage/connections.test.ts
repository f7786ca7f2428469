import { ContainerClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { expect, it } from "vitest";
import { sharedKeyAuthorization, storageConnectionIn } from "../../../local/src/storage/index.js";

const endpointsAt = (blob: string, queue: string, table: string) => ({
  ...{ blobEndpoint: blob, queueEndpoint: queue, tableEndpoint: table },
});

// The forms of https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
it.each<[string, object | undefined]>([
  [
    "UseDevelopmentStorage=true",
    {
      account: "devstoreaccount1",
      key: expect.stringMatching(/^Eby8vdM02xNOcqFlq.{57}KBHBeksoGMGw==$/),
      ...endpointsAt(
        "http://127.0.0.1:10000/devstoreaccount1",
        "http://127.0.0.1:10001/devstoreaccount1",
        "http://127.0.0.1:10002/devstoreaccount1",
      ),
    },
  ],
  [
    "AccountName=shop;AccountKey=a2V5cw==",
    {
      ...{ account: "shop", key: "a2V5cw==" },
      ...endpointsAt(
        "https://shop.blob.core.windows.net",
        "https://shop.queue.core.windows.net",
        "https://shop.table.core.windows.net",
      ),
    },
  ],
  [
    "defaultendpointsprotocol=http;\n AccountName=shop;AccountKey=k;EndpointSuffix=core.cn;BlobEndpoint=http://b/x//;TableEndpoint=;",
    {
      ...{ account: "shop", key: "k" },
      ...endpointsAt("http://b/x", "http://shop.queue.core.cn", "http://shop.table.core.cn"),
    },
  ],
  ["UseDevelopmentStorage=false", undefined],
  ["AccountName=shop", undefined],
  ["AccountKey=a2V5", undefined],
  ["AccountName=shop;AccountKey=k;BlobEndpoint=shop", undefined],
  ["AccountName=shop;AccountKey=k;QueueEndpoint=shop", undefined],
])("the connection of %j", (text, connection) => {
  expect(storageConnectionIn(text)).toEqual(connection);
});

it("signs requests as Microsoft's client does", async () => {
  const key = Buffer.from("secret").toString("base64");
  const signatures: unknown[] = [];
  const own: string[] = [];
  const credential = new StorageSharedKeyCredential("shop", key);
  const client = new ContainerClient("http://127.0.0.1:10000/shop/orders", credential, {
    httpClient: {
      async sendRequest(request) {
        const { method, headers, body } = request;
        const { authorization, ...others } = headers.toJson();
        signatures.push(authorization);
        const sent = { headers: others, body: typeof body === "string" ? body : "" };
        own.push(
          sharedKeyAuthorization(
            { account: "shop", key },
            { method, url: new URL(request.url), ...sent },
          ),
        );
        return { request, status: 404, headers };
      },
    },
  });
  const calls = [
    client.create({ metadata: { zone: "a", area: "b" } }),
    client.getBlockBlobClient("a b/c").upload("text", 4),
    client.listBlobsFlat({ prefix: "A", includeMetadata: true }).next(),
  ];
  await Promise.allSettled(calls);
  expect(own).toEqual(signatures);
  expect(own).toEqual(calls.map(() => expect.stringMatching(/^SharedKey shop:.{44}$/)));
});
