import { createRequire } from "node:module";
import { join } from "node:path";
import { packageVersion } from "./files.js";

/** The packages whose version must be that of this one. */
const RELEASED_TOGETHER = [
  "cloud-eventgrid-binding",
  "cloud-eventgrid-binding-cdktn",
  "cloud-eventgrid-binding-runtime",
  "cloud-eventgrid-local",
];

/**
 * A warning for each package of another release in a project. npm then installs the runtime twice, and
 * what a command reads differs from what the service runs.
 */
export function otherVersions(directory: string): string[] {
  const version = packageVersion();
  const require = createRequire(join(directory, "package.json"));
  return RELEASED_TOGETHER.flatMap((name) => {
    const installed = versionOf(name, require);
    if (installed === undefined || installed === version) return [];
    return `warning: this is cloud-eventgrid ${version}, but the project has ${name} ${installed}: npm install ${name}@${version}\n`;
  });
}

function versionOf(name: string, require: NodeJS.Require): string | undefined {
  try {
    return String(require(`${name}/package.json`).version);
  } catch {
    return undefined;
  }
}
