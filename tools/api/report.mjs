/**
 * Prints the public API of each package's entry points: `npm run api` after a build.
 *
 * The reports are kept in this folder, so that a change of the API shows in the change that makes it.
 * With `--check`, reports that are not current make it fail.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("../..", import.meta.url));
const reportFolder = join(root, "tools/api");
const tempFolder = join(root, ".cache/api");
const isCheck = process.argv.includes("--check");

const silent = { logLevel: ExtractorLogLevel.None, addToApiReportFile: false };
const outdated = [];
const written = new Set();

for (const folder of [".", "runtime", "cli", "local"]) {
  const packageFolder = join(root, folder);
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  for (const [subpath, { types }] of Object.entries(manifest.exports)) {
    if (types === undefined || subpath === "./internal") continue;
    const name = manifest.name + subpath.slice(1).replace("/", "-");
    report(packageFolder, types, name);
  }
}

for (const file of readdirSync(reportFolder)) {
  if (!file.endsWith(".api.md") || written.has(file)) continue;
  outdated.push(file);
  if (!isCheck) rmSync(join(reportFolder, file));
}
if (isCheck && outdated.length > 0) {
  console.error(`Run "npm run api" and commit the result; not current: ${outdated.join(", ")}`);
  process.exitCode = 1;
}

function report(packageFolder, types, name) {
  mkdirSync(tempFolder, { recursive: true });
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(packageFolder, "package.json"),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(packageFolder, types),
      compiler: { tsconfigFilePath: join(root, "tools/tsconfig.api.json") },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder,
        reportTempFolder: tempFolder,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: { default: silent },
        extractorMessageReporting: { default: silent },
        tsdocMessageReporting: { default: silent },
      },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  written.add(`${name}.api.md`);
  if (apiReportChanged) outdated.push(`${name}.api.md`);
}
