import { createRequire } from "node:module";
import { join } from "node:path";
import { version } from "../base/index.js";

/** The packages whose version must be that of this one. */
const RELEASED_TOGETHER = [
  "cloud-eventgrid",
  "cloud-eventgrid-binding",
  "cloud-eventgrid-binding-cdktn",
  "cloud-eventgrid-binding-runtime",
];

/** A warning for each package of another release in a project: the local Azure may lack what it needs. */
export function otherVersions(directory: string): string[] {
  const own = version();
  const require = createRequire(join(directory, "package.json"));
  return RELEASED_TOGETHER.flatMap((name) => {
    const installed = versionOf(name, require);
    if (installed === undefined || installed === own) return [];
    return `warning: this is cloud-eventgrid-local ${own}, but the project has ${name} ${installed}: npm install ${name}@${own}\n`;
  });
}

function versionOf(name: string, require: NodeJS.Require): string | undefined {
  try {
    return String(require(`${name}/package.json`).version);
  } catch {
    return undefined;
  }
}
