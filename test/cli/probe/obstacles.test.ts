import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { answering, at, consent, probe } from "./probing.js";
import {
  freePort,
  selfSigned,
  serveHttp,
  serveHttps,
  serveSilence,
  serveSockets,
  trusted,
} from "./webhooks.js";

describe("an ingress that answers OPTIONS with 503 (specification, section 7)", () => {
  it("is reported with its remedies", async () => {
    const url = await at(serveHttps(answering(503, { Server: "nginx" })));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(20);
    expect(out).toBe(`Handshake 1: 503 Service Unavailable from nginx

${url}: unavailable
A proxy in front of the webhook cannot reach it.
  - Wait until the service is up: probe --timeout 120 retries for two minutes.
  - An ingress controller may keep answering 503 after a first deployment: delete its pod so that it restarts, and probe again.
  - Check that the ingress forwards to the port that the listener uses (handshakePort).
`);
  });

  it("is retried until the webhook consents", async () => {
    let requests = 0;
    const url = await at(
      serveHttps((request, response) => {
        requests += 1;
        answering(requests < 3 ? 503 : 200, consent)(request, response);
      }),
    );
    const { exitCode, out, slept } = await probe(url, "--timeout", "60");
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      /^Handshake 1: 503 Service Unavailable; retrying in 5 s\nHandshake 2: 503 Service Unavailable; retrying in 5 s\nHandshake 3: 200 OK\n/,
    );
    expect(slept).toEqual([5000, 5000]);
  });
});

describe("a webhook without HTTPS or without a trusted certificate (specification, section 7)", () => {
  it("is reported when its certificate is self-signed", async () => {
    const url = await at(serveHttps(answering(200, consent), selfSigned(["localhost"])));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(13);
    expect(out).toContain("Handshake 1: the certificate is self-signed\n");
    expect(out).toContain(
      "  - Use a certificate from a public authority: a self-signed one is never accepted.\n",
    );
  });

  it("is reported when its certificate has expired, is not yet valid or names another host", async () => {
    const met = async (tls: { cert: string; key: string }) =>
      (await probe(await at(serveHttps(answering(200, consent), tls)))).out.split("\n")[0];
    expect(await met(trusted(["localhost"], [-30, -1]))).toBe(
      "Handshake 1: the certificate has expired",
    );
    expect(await met(trusted(["localhost"], [1, 30]))).toBe(
      "Handshake 1: the certificate is not yet valid",
    );
    expect(await met(trusted(["example.com"]))).toBe(
      "Handshake 1: the certificate is for another name",
    );
  });

  it("is reported when it speaks plain HTTP", async () => {
    const url = await at(serveHttp(answering(200, consent)));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(14);
    expect(out).toContain("The server at this port does not speak HTTPS.\n");
  });
});

describe("other obstacles", () => {
  it("reports the target of a redirect without following it", async () => {
    const headers = { Location: "https://www.example.com/api/events?code=hush" };
    const url = await at(serveHttps(answering(308, headers)));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(22);
    expect(out).toContain(
      "Handshake 1: 308 Permanent Redirect to https://www.example.com/api/events?...\n",
    );
  });

  it("reports that nothing listens", async () => {
    const { exitCode, out } = await probe(`https://localhost:${await freePort()}/api/events`);
    expect(exitCode).toBe(11);
    expect(out).toContain("Handshake 1: the connection is refused\n");
  });

  it.each([
    ["accepts the connection and closes it", (socket: Socket) => socket.destroy()],
    ["resets the connection", (socket: Socket) => socket.resetAndDestroy()],
  ])("reports a server that %s", async (_, hangUp) => {
    const url = await at(serveSockets(hangUp));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(15);
    expect(out).toContain("Handshake 1: the connection is closed without an answer (ECONNRESET)\n");
    expect(out).toContain(
      "connection-closed\nThe connection was accepted and then closed without an answer.\n",
    );
  });

  it("reports an answer with an invalid header as one without consent", async () => {
    const invalid = "HTTP/1.1 200 OK\r\nAllowed Origin: *\r\n\r\n";
    const url = await at(serveHttps((request) => request.socket.end(invalid)));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(24);
    expect(out).toContain("the answer has an invalid header (HPE_INVALID_HEADER_TOKEN)");
  });

  it("reports a server that reads the request and closes the connection", async () => {
    const url = await at(serveHttps((request) => request.socket.destroy()));
    expect((await probe(url)).exitCode).toBe(15);
  });

  it.each([
    [400, "The server considers the handshake a malformed request.\n"],
    [429, "A rate limit refused the handshake.\n"],
    [418, "A webhook does not answer a handshake with this status.\n"],
  ])("explains status %i", async (status, meaning) => {
    const { out } = await probe(await at(serveHttps(answering(status))));
    expect(out).toContain(meaning);
  });

  it("reports a host name without an address", async () => {
    const { exitCode, out } = await probe("https://orders.invalid/api/events");
    expect(exitCode).toBe(10);
    expect(out).toContain("Handshake 1: the host name cannot be resolved\n");
  });

  it("reports that no answer came in time", async () => {
    const url = await at(serveSilence());
    const { exitCode, out } = await probe(url, "--timeout", "1");
    expect(exitCode).toBe(12);
    expect(out).toContain("Handshake 1: no answer in time\n");
  });
});
