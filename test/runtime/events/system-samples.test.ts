import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventTypesByResourceType } from "cloud-eventgrid-binding-runtime/events";
import { LocalCloud, systemEventTypes } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { root } from "../../support/project.js";

const run = promisify(execFile);

describe("the payload types of all services", () => {
  /** The samples have the names of the SDK's serializers, and the compiler knows no others. */
  it("have the names on the wire, at every depth", async () => {
    const folder = join(root, ".cache", "system-samples");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const samples = (await samplesOfAllTypes()).map(
      ([type, data]) => `  ${JSON.stringify(type)}: ${JSON.stringify(data)},\n`,
    );
    writeFileSync(
      join(folder, "samples.ts"),
      `import type { SystemEventPayloads } from "cloud-eventgrid-binding-runtime/events";
export const samples: SystemEventPayloads = {\n${samples.join("")}};\n`,
    );
    const compilerOptions = { composite: false, declaration: false, noEmit: true };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.base.json", compilerOptions, include: ["."] }),
    );
    const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch(
      (failure: { stdout: string }) => failure,
    );
    expect(stdout).toBe("");
  });
});

async function samplesOfAllTypes(): Promise<[type: string, data: unknown][]> {
  const cloud = await LocalCloud.start();
  try {
    const samples: [string, unknown][] = [];
    for (const type of systemEventTypes) {
      const kinds = Object.entries(eventTypesByResourceType);
      const kind = kinds.find(([, types]) => types.includes(type))?.[0];
      const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`;
      const scope = kind === undefined ? group : `${group}/providers/${kind}/mine`;
      samples.push([type, JSON.parse((await cloud.emit(type, { scope })).json).data]);
    }
    return samples;
  } finally {
    await cloud.close();
  }
}
