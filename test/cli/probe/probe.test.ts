import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { answering, at, consent, probe } from "./probing.js";
import { serveHttp, serveHttps, trusted } from "./webhooks.js";

describe("a probe of a webhook that consents", () => {
  it("exits with 0", async () => {
    const url = await at(serveHttps(answering(200, consent)));
    const { exitCode, out } = await probe(url);
    expect(out.replace("::1", "127.0.0.1")).toBe(
      `Handshake 1: 200 OK\n\n${url}: consent\nThe webhook consents to deliveries.\nNote: Event Grid cannot reach 127.0.0.1, which answered: it calls from the internet.\n`,
    );
    expect(exitCode).toBe(0);
  });

  it("sends the request that Event Grid sends", async () => {
    const asked: Partial<IncomingMessage>[] = [];
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      asked.push({
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
      });
      response.writeHead(200, consent).end();
    };
    const url = await at(serveHttps(listener), "/hooks/orders?code=hush");
    await probe(url);
    expect(asked).toEqual([
      {
        method: "OPTIONS",
        url: "/hooks/orders?code=hush",
        headers: {
          host: new URL(url).host,
          connection: "close",
          "user-agent": "cloud-eventgrid-probe",
          "webhook-request-origin": "eventgrid.azure.net",
          "webhook-request-rate": "120",
        },
      },
    ]);
  });

  it("uses /api/events when the URL has no path", async () => {
    const paths: string[] = [];
    const url = await at(
      serveHttps((request, response) => {
        paths.push(request.url ?? "");
        response.writeHead(200, consent).end();
      }),
      "",
    );
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(0);
    expect(paths).toEqual(["/api/events"]);
    expect(out).toMatch(
      /^The URL has no path: probing \/api\/events, the default of subscriberEndpoint\.\nHandshake 1/,
    );
    expect(JSON.parse((await probe(url, "--json")).out)).toMatchObject({
      url: `${url}/api/events`,
      outcome: "consent",
    });
  });

  it.each([
    ["usgovernment", "eventgrid.azure.us"],
    ["china", "eventgrid.azure.cn"],
  ])("names the origin of the cloud %s", async (cloud, origin) => {
    const headers = { ...consent, "WebHook-Allowed-Origin": origin };
    const url = await at(serveHttps(answering(200, headers)));
    expect((await probe(url, "--cloud", cloud)).exitCode).toBe(0);
    expect((await probe(url)).exitCode).toBe(24);
  });

  it("accepts consent for any origin, and notes deviations in the answer", async () => {
    const url = await at(serveHttps(answering(204, { "WebHook-Allowed-Origin": "*" })));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(0);
    expect(out).toContain("Note: The answer should be 200: Event Grid may refuse 204.\n");
    expect(out).toContain(
      "Note: The answer should have WebHook-Allowed-Rate, a whole number or *.\n",
    );
  });

  it("uses plain HTTP on this machine", async () => {
    const url = await at(serveHttp(answering(200, consent)));
    expect((await probe(url.replace("https:", "http:"))).exitCode).toBe(0);
  });
});

describe("--connect-to", () => {
  it("connects elsewhere and checks the certificate for the URL's name", async () => {
    const hosts: (string | undefined)[] = [];
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      hosts.push(request.headers.host);
      response.writeHead(200, consent).end();
    };
    const webhook = await at(serveHttps(listener, trusted(["orders.example.com"])));
    const url = "https://orders.example.com/api/events";
    const { exitCode } = await probe(url, "--connect-to", new URL(webhook).host);
    expect(exitCode).toBe(0);
    expect(hosts).toEqual(["orders.example.com"]);
  });
});
