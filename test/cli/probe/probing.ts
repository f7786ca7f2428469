import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { command, type Printed } from "../command.js";
import { ca, type Webhook } from "./webhooks.js";

/** URL of a webhook, which is stopped after the test. */
export async function at(webhook: Promise<Webhook>, path = "/api/events"): Promise<string> {
  const started = await webhook;
  onTestFinished(() => started.stop());
  return `https://localhost:${started.port}${path}`;
}

/** Runs `cloud-eventgrid probe` on a clock that jumps over every wait. */
export async function probe(
  ...args: readonly string[]
): Promise<Printed & { readonly slept: readonly number[] }> {
  const slept: number[] = [];
  let clock = 0;
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
    clock += milliseconds;
  };
  const replacements = { probe: { ca, now: () => clock, sleep } };
  return { ...(await command(["probe", ...args], { replacements })), slept };
}

/** Gives every request the same answer. */
export const answering =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end("never read");
  };

/** The headers that Event Grid expects. */
export const consent = {
  "WebHook-Allowed-Origin": "eventgrid.azure.net",
  "WebHook-Allowed-Rate": "*",
};
