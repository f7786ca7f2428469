import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { run } from "../../../runtime/src/cli/index.js";
import {
  ca,
  freePort,
  selfSigned,
  serveHttp,
  serveHttps,
  serveSilence,
  trusted,
  type Webhook,
} from "./webhooks.js";

const running: Webhook[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((webhook) => webhook.stop()));
});

async function at(webhook: Promise<Webhook>, path = "/api/events"): Promise<string> {
  const started = await webhook;
  running.push(started);
  return `https://localhost:${started.port}${path}`;
}

interface Printed {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
  readonly slept: readonly number[];
}

async function command(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Printed> {
  const printed = { out: "", error: "" };
  const slept: number[] = [];
  const exitCode = await run(
    args,
    {
      env,
      out: (text) => {
        printed.out += text;
      },
      error: (text) => {
        printed.error += text;
      },
    },
    {
      ca,
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
      },
    },
  );
  return { exitCode, ...printed, slept };
}

const probe = (...args: string[]) => command(["probe", ...args]);

const answering =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end("never read");
  };

const consent = { "WebHook-Allowed-Origin": "eventgrid.azure.net", "WebHook-Allowed-Rate": "*" };

describe("a webhook that consents", () => {
  it("gets exit code 0", async () => {
    const url = await at(serveHttps(answering(200, consent)));
    const { exitCode, out } = await probe(url);
    expect(out).toBe(
      `Handshake 1: 200 OK\n\n${url}: consent\nThe webhook consents to deliveries.\n`,
    );
    expect(exitCode).toBe(0);
  });

  it("is asked exactly as Event Grid asks", async () => {
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

  it("is asked at /api/events where the URL has no path", async () => {
    const paths: string[] = [];
    const url = await at(
      serveHttps((request, response) => {
        paths.push(request.url ?? "");
        response.writeHead(200, consent).end();
      }),
      "",
    );
    expect((await probe(url)).exitCode).toBe(0);
    expect(paths).toEqual(["/api/events"]);
  });

  it.each([
    ["usgovernment", "eventgrid.azure.us"],
    ["china", "eventgrid.azure.cn"],
  ])("is asked in the name of its cloud: %s", async (cloud, origin) => {
    const headers = { ...consent, "WebHook-Allowed-Origin": origin };
    const url = await at(serveHttps(answering(200, headers)));
    expect((await probe(url, "--cloud", cloud)).exitCode).toBe(0);
    expect((await probe(url)).exitCode).toBe(24);
  });

  it("may allow any origin; an answer that is not quite right gets notes", async () => {
    const url = await at(serveHttps(answering(204, { "WebHook-Allowed-Origin": "*" })));
    const { exitCode, out } = await probe(url);
    expect(exitCode).toBe(0);
    expect(out).toContain("Note: The answer should be 200: Event Grid may refuse 204.\n");
    expect(out).toContain(
      "Note: The answer should have WebHook-Allowed-Rate, a whole number or *.\n",
    );
  });

  it("may be probed over plain HTTP on this machine", async () => {
    const url = await at(serveHttp(answering(200, consent)));
    expect((await probe(url.replace("https:", "http:"))).exitCode).toBe(0);
  });
});

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

describe("probing before there is a name", () => {
  it("connects elsewhere, and keeps the URL's name and certificate", async () => {
    const hosts: (string | undefined)[] = [];
    const webhook = await serveHttps(
      (request, response) => {
        hosts.push(request.headers.host);
        response.writeHead(200, consent).end();
      },
      trusted(["orders.example.com"]),
    );
    running.push(webhook);
    const url = "https://orders.example.com/api/events";
    const { exitCode } = await probe(url, "--connect-to", `localhost:${webhook.port}`);
    expect(exitCode).toBe(0);
    expect(hosts).toEqual(["orders.example.com"]);
  });
});

describe("time and number of attempts", () => {
  it("a time-out alone tries again until it is over", async () => {
    const url = await at(serveHttps(answering(503)));
    let clock = 0;
    const slept: number[] = [];
    const lines: string[] = [];
    const terminal = { env: {}, out: (text: string) => lines.push(text), error: () => undefined };
    const exitCode = await run(["probe", url, "--timeout", "30", "--interval", "10"], terminal, {
      ca,
      now: () => clock,
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
        clock += milliseconds;
      },
    });
    expect(exitCode).toBe(20);
    expect(slept).toEqual([10_000, 10_000]);
  });

  it("attempts alone are counted", async () => {
    const url = await at(serveHttps(answering(404)));
    const { slept, exitCode } = await probe(url, "--attempts", "3");
    expect(slept).toEqual([5000, 5000]);
    expect(exitCode).toBe(23);
  });
});

describe("--json", () => {
  it("prints one object that tells the same", async () => {
    const url = await at(serveHttps(answering(503)), "/api/events?code=hush");
    const { exitCode, out } = await probe(url, "--json", "--attempts", "2", "--interval", "0");
    const report = JSON.parse(out);
    expect(exitCode).toBe(20);
    expect(out).not.toContain("hush");
    expect(report).toMatchObject({
      url: url.replace("?code=hush", "?…"),
      origin: "eventgrid.azure.net",
      consent: false,
      outcome: "unavailable",
      exitCode: 20,
      met: "503 Service Unavailable",
      notes: [],
      attempts: [
        { attempt: 1, outcome: "unavailable", met: "503 Service Unavailable", status: 503 },
        { attempt: 2, outcome: "unavailable", met: "503 Service Unavailable", status: 503 },
      ],
    });
    expect(report.remedies).toHaveLength(3);
  });
});

describe("the command line", () => {
  it.each([
    [[], "the webhook's URL is missing"],
    [["orders"], 'the webhook must be an https URL, but is "orders"'],
    [
      ["ftp://orders.example.com"],
      'the webhook must be an https URL, but is "ftp://orders.example.com"',
    ],
    [["https://u:hush@h/"], "the webhook's URL must not contain credentials"],
    [["https://a.invalid", "https://b.invalid"], "one URL can be probed at a time"],
    [["https://a.invalid", "--attempts", "0"], '--attempts must be from 1 to 1000, but is "0"'],
    [["https://a.invalid", "--attempts", "1.5"], '--attempts must be a whole number, but is "1.5"'],
    [
      ["https://a.invalid", "--interval", "soon"],
      '--interval must be from 0 to 86400, but is "soon"',
    ],
    [["https://a.invalid", "--timeout", "0"], '--timeout must be from 1 to 86400, but is "0"'],
    [
      ["https://a.invalid", "--cloud", "mars"],
      '--cloud must be one of public, usgovernment, china, but is "mars"',
    ],
    [["https://a.invalid", "--connect-to", "h"], '--connect-to must be host:port, but is "h"'],
    [["--url-env", "WEBHOOK"], "WEBHOOK is not set"],
  ])("refuses %j", async (args, message) => {
    const { exitCode, error, out } = await probe(...args);
    expect(error).toBe(`cloud-eventgrid probe: ${message}\nTry --help.\n`);
    expect(exitCode).toBe(2);
    expect(out).toBe("");
  });

  it("refuses an option that it does not know", async () => {
    const { exitCode, error } = await probe("https://a.invalid", "--retries", "3");
    expect(exitCode).toBe(2);
    expect(error).toContain("'--retries'");
  });

  it("takes the URL from an environment variable, so that it is in no process list", async () => {
    const url = await at(serveHttps(answering(200, consent)));
    expect((await command(["probe", "--url-env", "WEBHOOK"], { WEBHOOK: url })).exitCode).toBe(0);
  });

  it("helps", async () => {
    expect((await command(["--help"])).out).toContain("cloud-eventgrid <command>");
    expect((await command(["probe", "--help"])).out).toContain("Exit codes:");
    expect((await command([])).exitCode).toBe(2);
    expect(await command(["prob"])).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('there is no command "prob"'),
    });
  });
});
