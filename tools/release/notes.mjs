/** Prints what the changelog says of this version, for the release on GitHub: `node tools/release/notes.mjs`. */
import { changesOf, readManifest } from "./packages.mjs";

const { version } = readManifest(".");
const changes = changesOf(version);
if (changes === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} (DATE)"`);
console.log(changes);
