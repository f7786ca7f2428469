import type { RequestListener } from "node:http";
import { afterEach } from "vitest";
import { run } from "../../../runtime/src/cli/index.js";
import { ca, type Webhook } from "./webhooks.js";

const running: Webhook[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((webhook) => webhook.stop()));
});

/** URL of a webhook, which is stopped after the test. */
export async function at(webhook: Promise<Webhook>, path = "/api/events"): Promise<string> {
  const started = await webhook;
  running.push(started);
  return `https://localhost:${started.port}${path}`;
}

/** What a command did. */
export interface Printed {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
  readonly slept: readonly number[];
}

/** Runs `cloud-eventgrid` without a process of its own; nothing sleeps. */
export async function command(
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

/** Runs `cloud-eventgrid probe`. */
export const probe = (...args: string[]) => command(["probe", ...args]);

/** Answers every request the same. */
export const answering =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end("never read");
  };

/** The headers that Event Grid wants to see. */
export const consent = {
  "WebHook-Allowed-Origin": "eventgrid.azure.net",
  "WebHook-Allowed-Rate": "*",
};
