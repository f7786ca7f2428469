import { expect, it } from "vitest";
import { consoleLog } from "../../../local/src/cli/console-log.js";
import { safeTerminal } from "../../../local/src/cli/terminal.js";

it("the log has a line for each attempt, with what follows", () => {
  const at = Date.UTC(2027, 0, 31, 14, 5, 9, 123);
  const lines: string[] = [];
  const { onDelivery } = consoleLog((text) => lines.push(text), new Set());
  const event = { type: "placed", id: "17" };
  const attempt = { at, subscription: "orders", events: [event], attempt: 1 };
  for (const more of [
    { status: 200, outcome: "delivered" },
    { status: 503, outcome: "retrying", attempt: 2, nextAttemptAt: at + 30_000 },
    { error: "ECONNRESET", outcome: "deadLettered", events: [event, event] },
    { error: "expired", outcome: "dropped", attempt: undefined },
  ]) {
    onDelivery(Object({ ...attempt, ...more }));
  }
  expect(lines).toEqual([
    "14:05:09.123 delivery   orders  placed 17  200 delivered\n",
    "14:05:09.123 delivery   orders  placed 17 (attempt 2)  503 will be retried, next at 14:05:39.123\n",
    "14:05:09.123 delivery   orders  2 events  no response (ECONNRESET) dead-lettered\n",
    "14:05:09.123 delivery   orders  placed 17  expired dropped\n",
  ]);
});

it("a terminal gets control characters as escapes, except for lines and tabs", () => {
  const printed: string[] = [];
  const add = (text: string) => void printed.push(text);
  const { print, printError } = safeTerminal(Object({ print: add, printError: add }));
  print("\u001b[2J\r\n\t\u202e");
  printError("\u2069ü");
  expect(printed).toEqual(["\\u001b[2J\\u000d\n\t\\u202e", "\\u2069ü"]);
});
