import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { type ProviderSource, providerSource } from "cloud-eventgrid-stand-ins";

const USAGE = `The main job, end to end on this machine: npm start -- [flags]

  --providers=registry     the real azurerm and azuread providers, downloaded by Terraform
  --providers=DIRECTORY    the real ones, from a filesystem mirror of Terraform
  --without-terraform      makes the event subscription straight from what was synthesized
  --help                   shows this`;

/** How the main job is to be run: with which providers, or `undefined` for without Terraform. */
export interface Flags {
  readonly providers: ProviderSource | undefined;
}

/** Reads the flags; ends the process when they cannot be understood, or when help is asked for. */
export function readFlags(args: readonly string[] = process.argv.slice(2)): Flags {
  const { help, providers, withoutTerraform, problem } = parse(args);
  if (problem !== undefined) {
    console.error(`${problem}\n\n${USAGE}`);
    process.exit(2);
  }
  if (help) {
    console.log(USAGE);
    process.exit(0);
  }
  return { providers: withoutTerraform ? undefined : providerSource(providers) };
}

function parse(args: readonly string[]) {
  const nothing = { help: false, providers: "", withoutTerraform: false };
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        providers: { type: "string" },
        "without-terraform": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const { providers = "stand-ins", "without-terraform": withoutTerraform, help } = values;
    const problem =
      withoutTerraform && values.providers !== undefined
        ? "--without-terraform and --providers exclude each other"
        : providerProblem(providers);
    return { help, providers, withoutTerraform, problem };
  } catch (error) {
    return { ...nothing, problem: error instanceof Error ? error.message : String(error) };
  }
}

function providerProblem(providers: string): string | undefined {
  if (providers === "stand-ins" || providers === "registry") return undefined;
  if (statSync(providers, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return `--providers must be "registry" or a directory with providers, not "${providers}"`;
}
