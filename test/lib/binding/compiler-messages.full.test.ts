import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

/** The compiler's messages about a program with mistakes, one for each. */
async function complaintsOf(compiler: string, mistakes: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(root, "node_modules/.cache-mistake-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(
    join(folder, "mistake.ts"),
    `import type { CloudEventGridBindingProps, IWebhookApplication } from ${JSON.stringify(`${root}/lib/index.js`)};
    import { type BindingProps, createListener, createPublisher, type RuntimeBinding } from "cloud-eventgrid-binding-runtime";
    declare const place: { cloudTenantId: ""; cloudSubscriptionId: ""; subscriberEndpoint: ""; handshakePort: ""; scope: "" };
    declare const application: IWebhookApplication;
    declare function provision(props: CloudEventGridBindingProps): void;
    declare function receive(props: BindingProps): void;
    declare const receiving: RuntimeBinding<"input">;
    declare const sending: RuntimeBinding<"output">;
    ${mistakes.join("\n")}`,
  );
  const compilerOptions = { noEmit: true, composite: false, incremental: false };
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions,
    include: ["mistake.ts"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const program = join(root, `node_modules/${compiler}/bin/tsc`);
  const output = await promisify(execFile)(process.execPath, [program, "-p", folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  const complaints = output.split(/^(?=\S)/m).filter((text) => text.includes("mistake.ts"));
  return complaints.map((text) => text.trim());
}

describe.each(["@typescript/native", "typescript-5"])("the compiler %s", (compiler) => {
  it("names the field of a binding that is missing or not allowed", {
    timeout: 300_000,
  }, async () => {
    const mistakes = [
      'provision({ ...place, application, cloudClientId: "" });',
      "provision({ ...place });",
      'provision({ ...place, application, topicEndpoint: "" });',
      "provision({ ...place, application, includedEventTypess: [] });",
      'provision({ ...place, application, protect: "yes" });',
      "provision({ ...place, application });",
      'receive({ ...place, cloudClientId: "", direction: "input, output", topicEndpoint: "" });',
      "createPublisher(receiving);",
      'createListener(sending, { on: { "*": () => {} } });',
    ];
    expect(await complaintsOf(compiler, mistakes)).toEqual([
      expect.stringMatching(
        /Types of property 'cloudClientId' are incompatible.\s+Type 'string' is not assignable to type 'undefined'.$/,
      ),
      // One of the two, depending on the compiler's order.
      expect.stringMatching(
        /required in type '(ClientIdUnlessApplication|ApplicationInsteadOfClientId)'.$/,
      ),
      expect.stringMatching(/Property 'accessKey' is missing in type.*$/),
      expect.stringMatching(/Did you mean to write 'includedEventTypes'\?$/),
      expect.stringMatching(/Type 'string' is not assignable to type 'boolean'/),
      expect.stringMatching(/Property 'accessKey' is missing in type/),
      expect.stringMatching(/Property 'topicEndpoint' is missing in type 'InputRuntimeBinding'/),
      expect.stringMatching(
        /missing the following properties from type 'InputRuntimeBinding': cloudTenantId, cloudClientId, handshakePort$/,
      ),
    ]);
  });
});
