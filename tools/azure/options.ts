import { parseArgs } from "node:util";
import { providerSource } from "cloud-eventgrid-stand-ins";
import { ask } from "../../cli/src/terminal/ask.js";

export const USAGE = `Runs the parity rows and the examples in a subscription: npm run azure -- --subscription ID [flags]

  --region=REGION        where (westeurope)
  --yes                  do not ask
  --continue             finish the run that a failure or Ctrl-C has ended
  --clean                only remove what killed runs have left in the subscription
  --with-entra           with --webhook: also create an application in Entra, and remove it
  --webhook=URL          a public URL that leads to this machine's port, for handshakes and deliveries
  --port=PORT            that port (8080)
  --providers=SOURCE     registry, or a directory with Terraform's providers (registry)
  --help                 show this help`;

export type Options = Exclude<ReturnType<typeof readOptions>, "help">;

/** @throws TypeError that says what is wrong */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      subscription: { type: "string", default: "" },
      region: { type: "string", default: "westeurope" },
      yes: { type: "boolean", default: false },
      continue: { type: "boolean", default: false },
      clean: { type: "boolean", default: false },
      "with-entra": { type: "boolean", default: false },
      webhook: { type: "string" },
      port: { type: "string", default: "8080" },
      providers: { type: "string", default: "registry" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const { subscription, region, webhook, port } = values;
  const problems = [
    /^[0-9a-f-]{36}$/i.test(subscription) || "--subscription must be a subscription's ID.",
    /^[a-z0-9]+$/.test(region) || `--region must be a name such as westeurope, not "${region}".`,
    /^https:\/\/[^/]+$/.test(webhook ?? "https://none") ||
      `--webhook must be an https URL without a path, not "${webhook}".`,
    /^\d{1,5}$/.test(port) || `--port must be a port, not "${port}".`,
  ].filter((each) => each !== true);
  if (problems.length > 0) throw new TypeError(problems.join(" "));
  return {
    ...values,
    subscription: subscription.toLowerCase(), // as in Azure's answers
    port: Number(port),
    withEntra: values["with-entra"],
    providers: providerSource(values.providers),
  };
}

/** Whether the person agrees, by `--yes` or at the terminal. */
export async function agrees({ yes }: Options, question: string): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    console.log("There is no terminal to ask: pass --yes.");
    return false;
  }
  const answer = await ask(`${question} [y/N] `, process.stdin, process.stdout);
  return /^y(es)?$/i.test(answer.trim());
}
