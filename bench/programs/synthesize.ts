/** Synthesizes bindings, ours or by hand, and prints what it took: `synthesize.ts WAY COUNT` */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "cdktf";
import { isWay, ShopStack, ways } from "./shop-stack.js";

const [way = "", count = ""] = process.argv.slice(2);
if (!isWay(way)) throw new Error(`no such way: ${way}; there are ${Object.keys(ways)}`);

// cdktf notes for every token where it was made. What that costs would otherwise depend on whose
// code is TypeScript to the program's runner, which then maps each line of these stacks.
process.setSourceMapsEnabled(false);

const outdir = await mkdtemp(join(tmpdir(), "cloud-eventgrid-bench-"));
try {
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const app = new App({ outdir, skipValidation: false });
  new ShopStack(app, way, Number(count));
  app.synth();
  const milliseconds = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  const bindings = Number(count);
  const cpu = (user + system) / 1000 / bindings;
  console.log(JSON.stringify({ each: milliseconds / bindings, cpu }));
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
