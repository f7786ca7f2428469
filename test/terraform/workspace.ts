import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory for Terraform, deleted after the test. */
export interface Workspace {
  readonly directory: string;
  /** Writes or replaces the configuration, in Terraform's JSON. */
  write(configuration: object): void;
  remove(): void;
}

export function workspace(): Workspace {
  const directory = mkdtempSync(join(tmpdir(), "cloud-eventgrid-test-"));
  return {
    directory,
    write: (configuration) =>
      writeFileSync(join(directory, "main.tf.json"), JSON.stringify(configuration, null, 2)),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
