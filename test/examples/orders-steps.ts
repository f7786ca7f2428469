import { expect } from "vitest";

const ESCAPE = String.fromCharCode(27);

/** Expects every step of the example, in an output without colours. */
export function expectAllSteps(output: string): void {
  const steps = [
    / {22}create {2}azurerm_eventgrid_topic topic\n/,
    /handshake {3}OPTIONS https:\/\/orders\.example\.com\/api\/events → 200, webhook consents/,
    /publish {5}shop\.order\.placed orders\/17 \(teapot\), accepted as [0-9a-f-]{36}/,
    /service {5}logs\n(?: {22}.*\n)* {22}shipped order 17, from verified caller 4962773b-9cdb-44cf-a8bf-237846a00ab7/,
    /delivery {4}shop\.order\.placed orders\/18 → 503, retrying/,
    /delivery {4}shop\.order\.placed orders\/18, attempt 2 → 200, delivered/,
    /intruder {4}no token → 401/,
    /intruder {4}a forged token → 401/,
    /intruder {4}an expired token → 401/,
    /destroy {5}nothing is left/,
    /result {6}everything as expected/,
  ];
  for (const step of steps) expect(output).toMatch(step);
  expect(output).not.toContain(ESCAPE);
}
