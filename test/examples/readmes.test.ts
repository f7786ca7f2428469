import { readFileSync } from "node:fs";
import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";

/** The variables that a README sets; a UUID replaces values that the README leaves open. */
function assignmentsIn(example: string, prefix: string): Record<string, string> {
  const readme = readFileSync(`examples/${example}/README.md`, "utf8");
  const pattern = new RegExp(`\\b(${prefix}_[A-Z_]+)=(\\S+)`, "g");
  return Object.fromEntries(
    [...readme.matchAll(pattern)].map(([, name = "", value = ""]) => [
      name,
      value.replace(/^(…|[$].*)$/, "11111111-2222-4333-8444-555555555555"),
    ]),
  );
}

describe("the environment in the README of an example", () => {
  it.each([
    ["sources", "STORAGE"],
    ["kubernetes", "ORDERS"],
    ["from-component", "ORDERS"],
    ["express", "ORDERS"],
    ["azure-functions", "ORDERS"],
  ])("is complete for the service of %s", (example, prefix) => {
    const env = assignmentsIn(example, prefix);
    expect(bindingFromEnvironment(prefix, { direction: "input", env })).toMatchObject({
      direction: "input",
      handshakePort: "9000",
      path: "/api/events",
    });
  });
});
