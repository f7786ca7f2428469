import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this package. */
export function version(): string {
  const file = join(__dirname, "../../package.json");
  const { version }: { version?: unknown } = JSON.parse(readFileSync(file, "utf8"));
  return String(version);
}
