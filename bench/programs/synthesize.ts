/** Measures the synthesis of bindings, ours or by hand: `synthesize.ts WAY COUNT` */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "cdktf";
import { isWay, ShopStack, ways } from "./shop-stack.js";

const [way = "", count = ""] = process.argv.slice(2);
if (!isWay(way)) throw new Error(`unknown way: ${way}; known are ${Object.keys(ways)}`);

// cdktf records a stack trace for every token. Mapping it to TypeScript sources would make the code
// that tsx compiles slower than the code that is compiled already.
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
