import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../../cli/src/probe/outcome.js";
import { command } from "../command.js";
import { answering, at, consent, probe } from "./probing.js";
import { ca, serveHttps } from "./webhooks.js";

describe("the number of handshakes", () => {
  it("is limited by --timeout", async () => {
    const url = await at(serveHttps(answering(503)));
    const { exitCode, slept } = await probe(url, "--timeout", "10");
    expect(exitCode).toBe(20);
    expect(slept).toEqual([5000]);
  });
});

describe("--help", () => {
  it("lists the exit code of every outcome", async () => {
    const { out } = await command(["probe", "--help"]);
    const [, listed = ""] = out.split("Exit codes:");
    const codes = [...listed.matchAll(/(?:^| )(\d\d?) {2}?/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(expect.arrayContaining(Object.values(EXIT_CODES)));
  });
});

describe("--json", () => {
  it("prints one object with outcome, remedies and attempts, without the URL's query", async () => {
    const url = await at(serveHttps(answering(503)), "/api/events?code=hush");
    const { exitCode, out } = await probe(url, "--json", "--timeout", "6");
    const report = JSON.parse(out);
    expect(exitCode).toBe(20);
    expect(out).not.toContain("hush");
    expect(report).toMatchObject({
      url: url.replace("?code=hush", "?…"),
      origin: "eventgrid.azure.net",
      consent: false,
      outcome: "unavailable",
      exitCode: 20,
      observed: "503 Service Unavailable",
      notes: [],
      attempts: [
        { attempt: 1, outcome: "unavailable", observed: "503 Service Unavailable", status: 503 },
        { attempt: 2, outcome: "unavailable", observed: "503 Service Unavailable", status: 503 },
      ],
    });
    expect(report.remedies).toHaveLength(3);
  });
});

describe("wrong arguments", () => {
  it.each([
    [[], "the webhook's URL is missing"],
    [["orders"], "the webhook must be an https URL"],
    [["ftp://orders.example.com"], "the webhook must be an https URL"],
    [["https://u:hush@h/"], "the webhook's URL must not contain credentials"],
    [
      ["http://orders.example.com/api/events?code=hush"],
      "Event Grid calls https URLs only, but this is http://orders.example.com/api/events?… (http works on this machine only)",
    ],
    [["https://a.invalid", "https://b.invalid"], "too many arguments"],
    [["https://a.invalid", "--timeout", "1.5"], "It must be a whole number from 1 to 86400."],
    [["https://a.invalid", "--cloud", "mars"], "Allowed choices are public, usgovernment, china."],
    [["https://a.invalid", "--connect-to", "h"], '--connect-to must be host:port, but is "h"'],
    [["https://a.invalid", "--timeuot", "5"], "(Did you mean --timeout?)"],
    [["--url-env", "WEBHOOK"], "WEBHOOK is not set"],
  ])("%j exits with 2 and says why", async (args, message) => {
    const { exitCode, error, out } = await probe(...args);
    expect(error).toContain(message);
    expect(error).not.toContain("hush");
    expect(exitCode).toBe(2);
    expect(out).toBe("");
  });
});

describe("--url-env", () => {
  it("keeps the URL out of the process list", async () => {
    const url = await at(serveHttps(answering(200, consent)));
    const { exitCode } = await command(["probe", "--url-env", "WEBHOOK"], {
      env: { WEBHOOK: url },
      replacements: { probe: { ca } },
    });
    expect(exitCode).toBe(0);
  });
});
