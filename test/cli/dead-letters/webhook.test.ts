import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ContainerClient } from "@azure/storage-blob";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Azurite, sharedAzurite } from "../../support/azurite.js";
import { startProxy } from "../../support/connect-proxy.js";
import { cloudEventgrid } from "../built-program.js";
import { command } from "../command.js";
import { ca, serveHttp, serveHttps, trusted } from "../probe/webhooks.js";
import { directoryWith } from "../temporary.js";
import { writeBlob } from "./container.js";

let azurite: Azurite;
let container: ContainerClient;

beforeAll(async () => {
  azurite = await sharedAzurite();
});
beforeEach(async () => {
  container = await azurite.createContainer(`dead-${randomUUID()}`);
});

describe("the webhook of dead-letters replay", () => {
  /** A webhook that gives these answers first, and then accepts. */
  function receiving(...statuses: number[]) {
    const requests: unknown[] = [];
    const handler: RequestListener = ({ headers, url }, response) => {
      const { authorization, "content-type": type, "aeg-event-type": kind } = headers;
      requests.push([url, authorization, type, kind]);
      response.writeHead(statuses.shift() ?? 204).end();
    };
    return { requests, handler };
  }

  const options = ["--token-env", "TOKEN", "--yes"];
  const replayTo = (url: string) =>
    command(
      [
        ...["dead-letters", "replay", "--container", container.containerName],
        ...["--webhook", url, ...options],
      ],
      {
        env: { AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString, TOKEN: "hush" },
        replacements: { deadLetters: { retryDelayMs: 1 } },
      },
    );

  it("receives the events with a token, and again after a 503", async () => {
    const { requests, handler } = receiving(503);
    const webhook = await serveHttp(handler);
    onTestFinished(() => webhook.stop());
    await writeBlob(container, [{ id: "1" }, { id: "2" }]);
    expect((await replayTo(`http://localhost:${webhook.port}`)).out).toBe(
      "2 events were accepted.\n",
    );
    expect(requests).toHaveLength(3);
    expect(requests.at(-1)).toEqual([
      "/api/events",
      "Bearer hush",
      "application/cloudevents+json; charset=utf-8",
      "Notification",
    ]);
  });

  it("is not waited for longer than a minute", async () => {
    const waits = ["61", new Date(Date.now() + 3_600_000).toUTCString()];
    const webhook = await serveHttp((_, response) => {
      response.writeHead(429, { "retry-after": waits.shift() ?? "0" }).end();
    });
    onTestFinished(() => webhook.stop());
    await writeBlob(container, [{ id: "1" }, { id: "2" }]);
    const { exitCode, out } = await replayTo(`http://localhost:${webhook.port}`);
    expect([exitCode, waits]).toEqual([3, []]);
    expect(out).toContain("Not accepted: 2 ");
  });

  it("gets what it refused once more with the next replay, and nothing else", async () => {
    const bodies: string[] = [];
    let refuses = true;
    const webhook = await serveHttp(async (request, response) => {
      const { id } = JSON.parse(await text(request));
      bodies.push(id);
      response.writeHead(refuses && id === "2" ? 400 : 204).end();
    });
    onTestFinished(() => webhook.stop());
    await writeBlob(container, [{ id: "1" }, { id: "2" }, { id: "3" }]);
    const { exitCode, out } = await replayTo(`http://localhost:${webhook.port}`);
    expect([exitCode, out]).toEqual([3, expect.stringContaining("2 events were accepted")]);
    refuses = false;
    expect((await replayTo(`http://localhost:${webhook.port}`)).exitCode).toBe(0);
    expect(bodies).toEqual(["1", "2", "3", "2"]);
  });

  it("ends the replay when it refuses the token", async () => {
    const { requests, handler } = receiving(403);
    const webhook = await serveHttp(handler);
    onTestFinished(() => webhook.stop());
    await writeBlob(container, [{ id: "1" }, { id: "2" }]);
    const { exitCode, out, error } = await replayTo(`http://localhost:${webhook.port}`);
    expect(exitCode).toBe(3);
    expect(out).toContain("the webhook answered 403");
    expect(out + error).not.toContain("hush");
    expect(requests).toHaveLength(1);
  });

  it("is reached through the proxy of HTTPS_PROXY", async () => {
    const { requests, handler } = receiving();
    const webhook = await serveHttps(handler, trusted(["hooks.example.com"]));
    onTestFinished(() => webhook.stop());
    const proxy = await startProxy(webhook.port);
    await writeBlob(container, [{ id: "1" }]);
    const { out } = await cloudEventgrid(
      [
        ...["dead-letters", "replay", "--container", container.containerName],
        ...["--webhook", "https://hooks.example.com", ...options],
      ],
      {
        AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
        TOKEN: "hush",
        HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
        NO_PROXY: "127.0.0.1",
        NODE_EXTRA_CA_CERTS: join(directoryWith({ "ca.pem": ca }), "ca.pem"),
      },
    );
    expect(out).toBe("1 event was accepted.\n");
    expect(requests).toHaveLength(1);
    expect(proxy.requests).toEqual([{ target: "hooks.example.com:443", authorization: undefined }]);
  });

  it("must have an https URL, which keeps the token secret", async () => {
    const { exitCode, error } = await replayTo("http://10.0.0.7/hook");
    expect([exitCode, error]).toEqual([
      2,
      "error: --webhook must be the webhook's https URL, such as https://orders.example.com/api/events\n",
    ]);
  });
});
