import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory with these files, removed after the test. */
export function directoryWith(files: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), "cli-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

/** A folder with a component document, `orders.json`, that has these metadata. */
export function componentIn(metadata: readonly object[]): string {
  const document = {
    apiVersion: "dapr.io/v1alpha1",
    kind: "Component",
    metadata: { name: "orders" },
    spec: { type: "bindings.azure.eventgrid", version: "v1", metadata },
  };
  return directoryWith({ "orders.json": JSON.stringify(document) });
}
