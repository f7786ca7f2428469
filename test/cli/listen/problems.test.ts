import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createDefaultHttpClient,
  createHttpHeaders,
  type HttpClient,
} from "@azure/core-rest-pipeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Listening, RealAzure } from "./real-azure.js";

let azure: RealAzure;
beforeAll(async () => {
  azure = await RealAzure.start();
});
afterAll(() => azure[Symbol.asyncDispose]());

/** Runs a command that ends by itself, and leaves nothing behind. */
async function ended(args: readonly string[], options: Parameters<RealAzure["listen"]>[1] = {}) {
  const before = azure.subscriptionNames();
  const listening: Listening = azure.listen(args, options);
  const exitCode = await listening.end();
  expect(azure.subscriptionNames()).toEqual(before);
  expect(await azure.queueNames()).toEqual([]);
  return { exitCode, error: listening.error };
}

describe("cloud-eventgrid listen", () => {
  const group = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
  const eventGrid = `${group}/providers/Microsoft.EventGrid`;
  const topic = `${eventGrid}/topics/orders`;
  it.each([
    ["a scope that is no resource ID", ["9000", "--scope", "orders"], "must be a resource ID"],
    [
      "a namespace",
      ["9000", "--scope", `${eventGrid}/namespaces/shop/topics/orders`],
      "a receiver of a namespace runs on this machine without listen",
    ],
    [
      "a pattern as event type",
      ["9000", "--scope", topic, "--event-types", "Microsoft.Storage.*"],
      '--event-types must be an event type such as shop.order.placed, not "Microsoft.Storage.*"',
    ],
    ["no queue", ["9000", "--scope", topic], "give --storage-account"],
    [
      "a storage account outside a resource group",
      [
        "9",
        "--scope",
        topic,
        "--storage-account",
        "/subscriptions/1/providers/Microsoft.Storage/storageAccounts/shop",
      ],
      "--storage-account must be a resource ID",
    ],
    ["no service", ["--scope", topic], "give the service's port"],
    ["a port out of range", ["70000", "--scope", topic], "must be a port or a URL"],
  ])("refuses %s", async (_, args, message) => {
    const { exitCode, error } = await ended(args);
    expect([exitCode, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it("refuses a scope that does not exist", async () => {
    const { place } = azure;
    const args = ["9000", ...place, "--scope", `${azure.topic.id}s`];
    const { exitCode, error } = await ended(args);
    expect([exitCode, error]).toEqual([
      1,
      expect.stringContaining(`the scope ${azure.topic.id}s does not exist`),
    ]);
  });

  it.each([
    ["does not exist", undefined, "does not exist"],
    ["may not be read", 403, "the right Microsoft.Storage/storageAccounts/read is missing"],
  ])("refuses a storage account that %s", async (_, status, message) => {
    const client = createDefaultHttpClient();
    const httpClient: HttpClient = {
      sendRequest: async (request) =>
        status !== undefined && request.url.includes("/storageAccounts/")
          ? { status, request, headers: createHttpHeaders(), bodyAsText: "{}" }
          : client.sendRequest(request),
    };
    const env = { AZURE_STORAGE_CONNECTION_STRING: undefined };
    const { exitCode, error } = await ended(["9000", ...azure.place], {
      env,
      environment: { httpClient },
    });
    expect([exitCode, error]).toEqual([1, expect.stringContaining(message)]);
  });

  it("refuses a scope that the caller may not write, with the command that grants the right", async () => {
    const { cloud, topic } = azure;
    const { clientId, servicePrincipal } = cloud.applications.create({
      displayName: "reader",
      secret: "hush",
    });
    cloud.control.assignRole("Reader", servicePrincipal.objectId, topic.id);
    const as = { clientId, secret: "hush" };
    const { exitCode, error } = await ended(["9000", ...azure.place], { as });
    expect(exitCode).toBe(1);
    expect(error).toBe(
      `error: an event subscription at ${topic.id} cannot be written: the right Microsoft.EventGrid/eventSubscriptions/write is missing. Somebody who owns the resource grants it, and it takes effect within 10 minutes: az role assignment create --role "EventGrid EventSubscription Contributor" --assignee ${servicePrincipal.objectId} --scope "${topic.id}"\n`,
    );
  });

  it("refuses a queue that the caller may not read, with the command that grants the right", async () => {
    const server = createServer((_, response) => {
      response.writeHead(403, { "content-type": "application/xml" });
      response.end(
        "<Error><Code>AuthorizationPermissionMismatch</Code><Message>No.</Message></Error>",
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}/devstoreaccount1`;
    const env = {
      AZURE_STORAGE_CONNECTION_STRING: `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=aHVzaA==;QueueEndpoint=${endpoint};BlobEndpoint=${endpoint}`,
    };
    try {
      const { exitCode, error } = await ended(["9000", ...azure.place], { env });
      expect(exitCode).toBe(1);
      expect(error).toContain(
        "the right Microsoft.Storage/storageAccounts/queueServices/queues/write is missing",
      );
      expect(error).toMatch(
        /az role assignment create --role "Storage Queue Data Contributor" --assignee [0-9a-f-]{36} --scope "\/sub/,
      );
      expect(error).not.toContain("aHVzaA");
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("refuses a right that is missing at the storage account, which Event Grid names", async () => {
    const message = `The client 'me' with object id '7' has permission to perform action 'Microsoft.EventGrid/eventSubscriptions/write' on scope '${topic}'; however, it does not have permission to perform action(s) 'Microsoft.Storage/storageAccounts/write' on the linked scope(s) '${azure.accountId}' (respectively) or the linked scope(s) are invalid.`;
    const client = createDefaultHttpClient();
    const httpClient: HttpClient = {
      sendRequest: async (request) =>
        request.method === "PUT"
          ? {
              status: 403,
              request,
              headers: createHttpHeaders(),
              bodyAsText: JSON.stringify({ error: { code: "LinkedAuthorizationFailed", message } }),
            }
          : client.sendRequest(request),
    };
    const { error } = await ended(["9000", ...azure.place], { environment: { httpClient } });
    expect(error).toContain("the right Microsoft.Storage/storageAccounts/write is missing");
    expect(error).toMatch(/--role "Storage Account Contributor" .* --scope "\S+devstoreaccount1"/);
  });

  it("refuses a port that is taken", async () => {
    const { port } = new URL(azure.cloud.httpOrigin);
    const { exitCode, error } = await ended(["9000", ...azure.place, "--local-port", port]);
    expect([exitCode, error]).toEqual([1, expect.stringContaining("the local Azure cannot start")]);
  });
});
