import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  createHttpHeaders,
  createPipelineRequest,
  type PipelineRequest,
} from "@azure/core-rest-pipeline";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpClient, Transport } from "../../../cli/src/azure/transport.js";

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
  const ended = expect(sent).rejects.toThrow(/^no answer in 1 s$/);
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  await Promise.race([arrived, ended]);
  if (typeof collect === "function") collect();
  await ended;
});

describe("a transport", () => {
  const url = "https://management.example/subscriptions/1";

  /** A transport to a service that gives these answers one after another. */
  function transportTo(
    ...answers: (readonly [status: number, text: string, retryAfter?: string] | Error)[]
  ) {
    const received: PipelineRequest[] = [];
    const tokensFor: unknown[] = [];
    const credential = {
      getToken: async (scopes: unknown) => {
        tokensFor.push(scopes);
        return { token: "secret", expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    };
    const client = {
      sendRequest: async (request: PipelineRequest) => {
        received.push({ ...request, headers: createHttpHeaders(request.headers.toJSON()) });
        const answer = answers.shift() ?? new Error("no answer is left");
        if (answer instanceof Error) throw answer;
        return {
          request,
          status: answer[0],
          headers: createHttpHeaders({ ...(answer[2] && { "retry-after": answer[2] }) }),
          bodyAsText: answer[1],
        };
      },
    };
    const transport = new Transport({}, { httpClient: client, retryDelayMs: 1 }).with(credential);
    return { transport, received, tokensFor };
  }

  it("gets JSON without a token, unless it is told an audience", async () => {
    const { transport, received, tokensFor } = transportTo([200, '{"name":"one"}'], [404, "<p>"]);
    await expect(transport.send({ url })).resolves.toMatchObject({
      status: 200,
      body: { name: "one" },
    });
    expect(tokensFor).toEqual([]);
    const audience = "https://management.example";
    const answer = await transport.send({ url, audience, method: "PUT", body: { a: 1 } });
    expect(answer).toEqual({ status: 404, body: undefined, code: undefined, message: undefined });
    expect(tokensFor).toEqual([["https://management.example/.default"]]);
    expect(received.map(({ method, body, headers }) => [method, body, headers.toJSON()])).toEqual([
      ["GET", undefined, { accept: "application/json" }],
      [
        "PUT",
        '{"a":1}',
        {
          accept: "application/json",
          "content-type": "application/json",
          authorization: "Bearer secret",
        },
      ],
    ]);
  });

  it("repeats what is answered with 5xx, or 429 and Retry-After, and says the error's code and message", async () => {
    const error = { error: { code: "AuthorizationFailed", message: "Not allowed." } };
    const { transport, received } = transportTo(
      [429, "", "0"],
      [503, ""],
      [403, JSON.stringify(error)],
    );
    await expect(transport.send({ url })).resolves.toMatchObject({
      status: 403,
      code: "AuthorizationFailed",
      message: "Not allowed.",
    });
    expect(received).toHaveLength(3);
  });

  it.each(["ECONNREFUSED", "ENOTFOUND"])("does not repeat a request after %s", async (code) => {
    const { transport, received } = transportTo(Object.assign(new Error("no"), { code }), [
      200,
      "",
    ]);
    await expect(transport.send({ url })).rejects.toThrow(
      "https://management.example cannot be reached: no",
    );
    expect(received).toHaveLength(1);
  });
});
