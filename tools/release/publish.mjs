/**
 * Publishes packed packages: `node tools/release/publish.mjs FOLDER`.
 *
 * A package that the registry has with the same content is skipped, so that a release that stopped
 * half-way is completed by running it again. A version such as 1.0.0-rc.1 gets the tag `next`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { distTag, publishedFolders, readManifest, registryField } from "./packages.mjs";

const [folder = "packages"] = process.argv.slice(2);
const { version } = readManifest(".");
// npm verifies on GitHub which workflow publishes; on other machines it cannot.
const provenance = process.env.GITHUB_ACTIONS === "true" ? ["--provenance"] : [];

for (const { name } of publishedFolders.map(readManifest)) {
  const file = resolve(folder, `${name}-${version}.tgz`);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  const published = registryField(`${name}@${version}`, "dist.integrity");
  if (published === integrity) {
    console.log(`${name}@${version} is on the registry already.`);
    continue;
  }
  if (published !== undefined) {
    console.error(
      `${name}@${version} is on the registry with another content: release a new version.`,
    );
    process.exit(1);
  }
  try {
    const options = ["--access", "public", "--tag", distTag(version), ...provenance];
    execFileSync("npm", ["publish", file, ...options], { stdio: ["ignore", "inherit", "inherit"] });
  } catch {
    console.error(`${name}@${version} was not published: repair the cause, and run this again.`);
    process.exit(1);
  }
}
