import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { PullRuntimeBinding } from "cloud-eventgrid-binding-runtime";
import { afterAll, beforeEach } from "vitest";

/** A request of a receiver, as the gateway sees it. */
export interface GatewayRequest {
  readonly operation: string;
  readonly query: URLSearchParams;
  readonly lockTokens: readonly string[];
  readonly authorization: string | undefined;
}

/** Instead of the namespace's response: another one, a broken connection before or after it. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "break"
  | "lose response";

/** Stands between a receiver and a namespace, and fails on demand. */
export async function startGateway() {
  const gateway = {
    requests: [] as GatewayRequest[],
    fault: (_: GatewayRequest): Fault | undefined => undefined,
    /** A binding whose requests pass the gateway. */
    bindingTo: (binding: PullRuntimeBinding): PullRuntimeBinding => {
      const { origin, pathname } = new URL(binding.namespaceEndpoint);
      target = origin;
      return { ...binding, namespaceEndpoint: `http://127.0.0.1:${port}${pathname}` };
    },
    /** How many requests for an operation have been answered. */
    answered: (operation: string) => answers.filter((answer) => answer === operation).length,
    operations: () => gateway.requests.map(({ operation }) => operation),
  };
  let target = "";
  const answers: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://gateway");
    const body = await text(request);
    const seen: GatewayRequest = {
      operation: url.pathname.slice(url.pathname.lastIndexOf(":") + 1),
      query: url.searchParams,
      lockTokens: body === "" ? [] : JSON.parse(body).lockTokens,
      authorization: request.headers.authorization,
    };
    gateway.requests.push(seen);
    response.once("close", () => answers.push(seen.operation));
    const fault = gateway.fault(seen);
    if (fault === "break") response.destroy();
    else if (fault !== undefined && fault !== "lose response") {
      response.writeHead(fault.status, fault.headers).end(fault.body);
    } else await forward(`${target}${request.url}`, request, body, response, fault !== undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  beforeEach(() => {
    gateway.requests.length = 0;
    answers.length = 0;
    gateway.fault = () => undefined;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return gateway;
}

async function forward(
  url: string,
  { headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
  losesResponse: boolean,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { authorization = "", "content-type": type = "" } = headers;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization, "content-type": type },
      ...(body !== "" && { body }),
      signal: gone.signal,
    });
    const content = await answer.text();
    if (losesResponse) response.destroy();
    else response.writeHead(answer.status).end(content);
  } catch {
    response.destroy();
  }
}
