import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { type ProviderSource, providerSource } from "cloud-eventgrid-stand-ins";

const USAGE = `Runs the orders example end to end on this machine: npm start -- [flags]

  --providers=registry     use the real azurerm and azuread providers, downloaded by Terraform
  --providers=DIRECTORY    use the real providers from a filesystem mirror
  --without-terraform      create the event subscription in the local Azure without Terraform
  --keep                   leave everything running until Ctrl-C, with the dashboard to look at
  --help                   show this help`;

/** How to run the example. */
export interface Flags {
  /** The providers that Terraform uses; `undefined` to run without Terraform. */
  readonly providers: ProviderSource | undefined;
  /** Whether everything stays until the run is interrupted. */
  readonly keep: boolean;
}

/** Reads the flags; ends the process after printing the help or a problem. */
export function readFlags(args: readonly string[] = process.argv.slice(2)): Flags {
  const { help, providers, withoutTerraform, keep, problem } = parse(args);
  if (problem !== undefined) {
    console.error(`${problem}\n\n${USAGE}`);
    process.exit(2);
  }
  if (help) {
    console.log(USAGE);
    process.exit(0);
  }
  return { providers: withoutTerraform ? undefined : providerSource(providers), keep };
}

function parse(args: readonly string[]) {
  const nothing = { help: false, providers: "", withoutTerraform: false, keep: false };
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        providers: { type: "string" },
        "without-terraform": { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const { providers = "stand-ins", "without-terraform": withoutTerraform, keep, help } = values;
    const problem =
      withoutTerraform && values.providers !== undefined
        ? "--without-terraform and --providers cannot be combined"
        : providerProblem(providers);
    return { help, providers, withoutTerraform, keep, problem };
  } catch (error) {
    return { ...nothing, problem: error instanceof Error ? error.message : String(error) };
  }
}

function providerProblem(providers: string): string | undefined {
  if (providers === "stand-ins" || providers === "registry") return undefined;
  if (statSync(providers, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return `--providers must be "registry" or a directory with providers, not "${providers}"`;
}
