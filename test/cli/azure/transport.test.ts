import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPipelineRequest } from "@azure/core-rest-pipeline";
import { expect, it, onTestFinished } from "vitest";
import { httpClient } from "../../../cli/src/azure/transport.js";

it("ends a request that is never answered, whatever the garbage collector has taken", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const request = createPipelineRequest({
    url: `http://127.0.0.1:${port}/`,
    allowInsecureConnection: true,
  });
  const arrived = once(server, "request");
  const sent = httpClient(1_000).sendRequest(request);
  const ended = expect(sent).rejects.toMatchObject({ name: "AbortError" });
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  await Promise.race([arrived, ended]);
  if (typeof collect === "function") collect();
  await ended;
});
