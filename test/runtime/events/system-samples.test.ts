import { eventTypesByResourceType } from "cloud-eventgrid-binding-runtime/events";
import { LocalCloud, systemEventTypes } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { compile } from "../../support/compile.js";

describe("the payload types of all services", () => {
  /** The samples have the names of the SDK's serializers, and the compiler knows no others. */
  it("have the names on the wire, at every depth", async () => {
    const samples = (await samplesOfAllTypes()).map(
      ([type, data]) => `  ${JSON.stringify(type)}: ${JSON.stringify(data)},\n`,
    );
    const module = `import type { SystemEventPayloads } from "cloud-eventgrid-binding-runtime/events";
export const samples: SystemEventPayloads = {\n${samples.join("")}};\n`;
    const options = { declaration: false, noEmit: true };
    expect(await compile("system-samples", module, options)).toBe("");
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
