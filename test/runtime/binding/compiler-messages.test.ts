import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

/** The last line that the compiler prints about a program. */
async function complaintsAbout(program: string): Promise<string> {
  const folder = await mkdtemp(join(root, "node_modules/.cache-mistake-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sources = join(root, "runtime/src");
  await writeFile(
    join(folder, "mistake.ts"),
    `import type { BindingProps, RuntimeBinding } from ${JSON.stringify(`${sources}/binding/index.js`)};
    import { createListener } from ${JSON.stringify(`${sources}/listener/index.js`)};
    import { createPublisher } from ${JSON.stringify(`${sources}/publisher/index.js`)};
    declare const input: { cloudTenantId: ""; cloudSubscriptionId: ""; cloudClientId: ""; subscriberEndpoint: ""; handshakePort: ""; scope: "" };
    declare const receiving: RuntimeBinding<"input">;
    declare const sending: RuntimeBinding<"output">;
    ${program}`,
  );
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        noEmit: true,
        composite: false,
        incremental: false,
        noUnusedLocals: false,
      },
      include: ["mistake.ts"],
    }),
  );
  const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
  const run = promisify(execFile)(process.execPath, [compiler, "-p", folder]);
  return run.then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout.trim().split("\n").at(-1)?.trim() ?? "",
  );
}

describe("the compiler", () => {
  it.each([
    [
      "accessKey",
      'export const props: BindingProps = { ...input, direction: "input, output", topicEndpoint: "" };',
      /^Property 'accessKey' is missing in type/,
    ],
    [
      "topicEndpoint",
      "createPublisher(receiving);",
      /Property 'topicEndpoint' is missing in type 'InputRuntimeBinding'/,
    ],
    [
      "cloudTenantId and the others",
      'createListener(sending, { on: { "*": () => {} } });',
      /missing the following properties from type 'InputRuntimeBinding': cloudTenantId, cloudClientId, handshakePort$/,
    ],
  ])("names the missing field %s", async (_, program, complaint) => {
    expect(await complaintsAbout(program)).toMatch(complaint);
  });
});
