import { describe, expect, it } from "vitest";
import { run } from "../../../runtime/src/cli/index.js";
import { answering, at, command, consent, probe } from "./command.js";
import { ca, serveHttps } from "./webhooks.js";

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

  it("tells everything that is wrong at once", async () => {
    const { exitCode, error } = await probe(
      ...["--timeout", "abc", "--attempts", "0", "--cloud", "mars", "--frob", "--json=yes"],
      ...["--connect-to", "--interval", "5", "ftp://h", "--url-env"],
    );
    expect(exitCode).toBe(2);
    expect(error).toBe(`cloud-eventgrid probe: the arguments have 8 problems:
  - --frob is unknown; there are --timeout, --attempts, --interval, --attempt-timeout, --cloud, --connect-to, --url-env, --json
  - --json takes no value
  - --connect-to needs a value
  - --url-env needs a value
  - --attempts must be from 1 to 1000, but is "0"
  - --timeout must be from 1 to 86400, but is "abc"
  - --cloud must be one of public, usgovernment, china, but is "mars"
  - one URL can be probed at a time
Try --help.
`);
  });

  it.each(["toString", "__proto__", "-f"])("knows no option %s", async (name) => {
    const flag = name.startsWith("-") ? name : `--${name}`;
    const { exitCode, error } = await probe("https://a.invalid", flag);
    expect(exitCode).toBe(2);
    expect(error).toContain(`${flag} is unknown; there are --timeout`);
  });

  it("takes the URL from an environment variable, so that it is in no process list", async () => {
    const url = await at(serveHttps(answering(200, consent)));
    expect((await command(["probe", "--url-env", "WEBHOOK"], { WEBHOOK: url })).exitCode).toBe(0);
  });

  it("helps", async () => {
    expect((await command(["--help"])).out).toContain("cloud-eventgrid <command>");
    expect((await command(["probe", "--help"])).out).toContain("Exit codes:");
    expect((await command(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await command([])).exitCode).toBe(2);
    expect(await command(["prob"])).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('there is no command "prob"'),
    });
  });
});
