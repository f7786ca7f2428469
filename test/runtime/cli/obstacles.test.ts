import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { answering, at, consent, probe } from "./command.js";
import {
  freePort,
  selfSigned,
  serveHttp,
  serveHttps,
  serveSilence,
  serveSockets,
  trusted,
} from "./webhooks.js";

describe("7 an ingress in front of the webhook answers OPTIONS with 503", () => {
  it("is explained with its remedy", async () => {
    const url = await at(serveHttps(answering(503, { Server: "nginx" })));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(20);
    expect(out).toBe(`Handshake 1: 503 Service Unavailable from nginx

${url}: unavailable
Something in front of the webhook answers in its place, because it cannot reach it.
  - Wait until the service is up: --timeout 120 tries again until then.
  - An ingress controller may go on with 503 after a first deployment: delete its pod, so that it restarts, and probe again.
  - Check that the ingress forwards to the port that the listener takes (handshakePort).
`);
  });

  it("mends itself while the probe tries again", async () => {
    let requests = 0;
    const url = await at(
      serveHttps((request, response) => {
        requests += 1;
        answering(requests < 3 ? 503 : 200, consent)(request, response);
      }),
    );
    const { exitCode, out, slept } = await probe(url, "--attempts", "5", "--interval", "2.5");
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      /^Handshake 1: 503 Service Unavailable; again in 2.5 s\nHandshake 2: 503 Service Unavailable; again in 2.5 s\nHandshake 3: 200 OK\n/,
    );
    expect(slept).toEqual([2500, 2500]);
  });
});

describe("7 a webhook without HTTPS or with a self-signed certificate", () => {
  it("self-signed", async () => {
    const url = await at(serveHttps(answering(200, consent), selfSigned(["localhost"])));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(13);
    expect(out).toContain("Handshake 1: the certificate is self-signed\n");
    expect(out).toContain(
      "  - Use a certificate from a public authority: a self-signed one is never accepted.\n",
    );
  });

  it("expired, not valid yet, and for another name", async () => {
    const met = async (tls: { cert: string; key: string }) =>
      (await probe(await at(serveHttps(answering(200, consent), tls)))).out.split("\n")[0];
    expect(await met(trusted(["localhost"], [-30, -1]))).toBe(
      "Handshake 1: the certificate has expired",
    );
    expect(await met(trusted(["localhost"], [1, 30]))).toBe(
      "Handshake 1: the certificate is not valid yet",
    );
    expect(await met(trusted(["example.com"]))).toBe(
      "Handshake 1: the certificate is for another name",
    );
  });

  it("plain HTTP on the TLS port", async () => {
    const url = await at(serveHttp(answering(200, consent)));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(14);
    expect(out).toContain("What listens there does not speak HTTPS as the URL says.\n");
  });

  it("an http URL is refused before anything is sent", async () => {
    const { exitCode, error } = await probe("http://orders.example.com/api/events?code=hush");
    expect(exitCode).toBe(2);
    expect(error).toBe(
      "cloud-eventgrid probe: Event Grid calls https webhooks only, but this is " +
        '"http://orders.example.com/api/events?…" (http is probed on this machine itself)\nTry --help.\n',
    );
  });
});

describe("what else stands in the way", () => {
  it.each([
    [401, 21, "authentication-required"],
    [403, 21, "authentication-required"],
    [404, 23, "wrong-path"],
    [405, 23, "wrong-path"],
    [502, 20, "unavailable"],
    [504, 20, "unavailable"],
    [400, 25, "unexpected-status"],
    [500, 25, "unexpected-status"],
  ])("status %i: exit code %i, %s", async (status, expected, outcome) => {
    const url = await at(serveHttps(answering(status)));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(expected);
    expect(out).toContain(`${url}: ${outcome}\n`);
  });

  it("a redirect is told with its target, and not followed", async () => {
    const headers = { Location: "https://www.example.com/api/events?code=hush" };
    const url = await at(serveHttps(answering(308, headers)));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(22);
    expect(out).toContain(
      "Handshake 1: 308 Permanent Redirect to https://www.example.com/api/events?...\n",
    );
  });

  it.each([
    [{}, "200 OK, without the header WebHook-Allowed-Origin"],
    [
      { "WebHook-Allowed-Origin": "other.example.com" },
      "200 OK, but WebHook-Allowed-Origin is other.example.com, not eventgrid.azure.net",
    ],
  ])("an answer without consent: %j", async (headers, met) => {
    const url = await at(serveHttps(answering(200, headers)));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(24);
    expect(out).toContain(`Handshake 1: ${met}\n`);
  });

  it("nothing listens", async () => {
    const { exitCode, out } = await probe(`https://localhost:${await freePort()}/api/events`);
    expect(exitCode).toBe(11);
    expect(out).toContain("Handshake 1: the connection is refused\n");
  });

  it.each([
    ["takes the connection and closes it", (socket: Socket) => socket.destroy()],
    ["resets the connection", (socket: Socket) => socket.resetAndDestroy()],
  ])("something %s", async (_, hangUp) => {
    const url = await at(serveSockets(hangUp));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(15);
    expect(out).toContain("Handshake 1: the connection is closed without an answer (ECONNRESET)\n");
    expect(out).toContain(
      "connection-closed\nSomething takes the connection, and closes it without an answer.\n",
    );
  });

  it("something reads the request and hangs up", async () => {
    const url = await at(serveHttps((request) => request.socket.destroy()));
    expect((await probe(url)).exitCode).toBe(15);
  });

  it.each([
    [400, "What answers takes the handshake for a malformed request.\n"],
    [429, "Something limits the rate of requests, and counts the handshake.\n"],
    [418, "The answer is none that a webhook gives to a handshake.\n"],
  ])("status %i is explained by itself", async (status, meaning) => {
    const { out } = await probe(await at(serveHttps(answering(status))));
    expect(out).toContain(meaning);
  });

  it("the name has no address", async () => {
    const { exitCode, out } = await probe("https://orders.invalid/api/events");
    expect(exitCode).toBe(10);
    expect(out).toContain("Handshake 1: the host name cannot be resolved\n");
  });

  it("no answer comes", async () => {
    const url = await at(serveSilence());
    const { exitCode, out } = await probe(url, "--attempt-timeout", "1");
    expect(exitCode).toBe(12);
    expect(out).toContain("Handshake 1: no answer in time\n");
  });
});
