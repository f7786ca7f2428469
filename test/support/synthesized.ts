import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { type App, Manifest, TerraformStack, Testing } from "cdktf";
import { schemaProblems } from "./provider-schemas.js";
import { temporaryFolder } from "./temporary-folder.js";
import { type Block, type Declared, declaredIn, isBlock, providersIn } from "./terraform-json.js";

// cdktf keeps the stack trace of every token, to show it where one cannot be resolved. With the source maps
// of vitest, that takes more than half of the time of a synthesis.
const traces = createRequire(import.meta.url)("cdktf/lib/tokens/private/stack-trace.js");
traces.captureStackTrace = () => [];

/** A synthesized stack, checked against the schemas of the real providers. */
export class Synthesized {
  readonly json: Block;
  readonly warnings: readonly string[];
  readonly infos: readonly string[];

  /** @throws an error when synthesis fails, or the result does not match the schemas */
  constructor(stack: TerraformStack) {
    const folder = synthesize(stack);
    const file = join(folder, "stacks", stack.node.id, "cdk.tf.json");
    this.json = JSON.parse(readFileSync(file, "utf8"));
    const problems = schemaProblems(this.json);
    if (problems.length > 0) throw new Error(`does not match the schemas:\n${problems.join("\n")}`);
    const metadata = stack.node.findAll().flatMap(({ node }) => node.metadata);
    this.warnings = metadata.flatMap(({ type, data }) => (type === "@cdktf/warn" ? [data] : []));
    this.infos = metadata.flatMap(({ type, data }) => (type === "@cdktf/info" ? [data] : []));
  }

  /** All resources of a type, or data sources: `data.azurerm_client_config`. */
  all(type: string): Declared[] {
    const mode = type.startsWith("data.") ? "data" : "managed";
    const name = type.replace(/^data\./, "");
    return declaredIn(this.json).filter((one) => one.type === name && one.mode === mode);
  }

  /** The only resource of a type, or the one at a construct path. */
  one(type: string, path?: string): Block {
    const found = this.all(type).filter((one) => path === undefined || one.path === path);
    const [only] = found;
    if (only === undefined || found.length > 1) {
      const paths = this.all(type).map((one) => one.path);
      throw new Error(`${found.length} of ${type}${path ? ` at ${path}` : ""}; found: ${paths}`);
    }
    const { "//": _, ...body } = only.body;
    return body;
  }

  /** Types and paths of all resources and data sources, sorted. */
  get shape(): string[] {
    return declaredIn(this.json)
      .map(({ mode, type, path }) => `${mode === "data" ? "data." : ""}${type} ${path}`)
      .sort();
  }

  /** Paths of the resources that a resource depends on. */
  waits(type: string, path: string): string[] {
    const list = this.one(type, path).depends_on;
    const addresses: unknown[] = Array.isArray(list) ? list : [];
    const byAddress = new Map(declaredIn(this.json).map((one) => [one.address, one.path]));
    return addresses.map((address) => byAddress.get(String(address)) ?? String(address));
  }

  providers(name: string): Block[] {
    return providersIn(this.json).flatMap((one) => (one.name === name ? [one.body] : []));
  }

  get imports(): Block[] {
    const imports: unknown[] = Array.isArray(this.json.import) ? this.json.import : [];
    return imports.filter(isBlock);
  }
}

/** The output folder of all apps and stacks of a test file, which read at once what they write. */
let outdir = "";

function outputFolder(): string {
  if (!existsSync(outdir)) outdir = temporaryFolder();
  return outdir;
}

/** An app like that of `Testing.app`, whose output folder is removed after the tests. */
export function testApp(): App {
  return Testing.app({ outdir: outputFolder() });
}

/**
 * Synthesizes a stack with its validations and annotations, like `Testing.fullSynth`, into a folder
 * that is removed after the tests.
 */
export function synthesize(stack: TerraformStack): string {
  const outdir = outputFolder();
  const manifest = new Manifest("stubbed", outdir, false);
  stack.synthesizer.synthesize({ outdir, manifest });
  manifest.writeToFile();
  return outdir;
}

/** A stack with both providers. */
export function stackWithProviders(name = "orders", app = testApp()): TerraformStack {
  const stack = new TerraformStack(app, name);
  new AzurermProvider(stack, "azurerm", { features: [{}] });
  new AzureadProvider(stack, "azuread", {});
  return stack;
}

/** Builds and synthesizes a stack. */
export function synthesized(build: (stack: TerraformStack) => void): Synthesized {
  const stack = stackWithProviders();
  build(stack);
  return new Synthesized(stack);
}

/** The complete error of synthesis, or an empty string if it succeeds. */
export function synthesisErrorOf(build: (stack: TerraformStack) => void): string {
  const stack = stackWithProviders();
  build(stack);
  try {
    synthesize(stack);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
