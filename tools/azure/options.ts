import { parseArgs } from "node:util";
import { type ProviderSource, providerSource } from "cloud-eventgrid-stand-ins";

export const USAGE = `Runs the parity rows and the examples in a subscription: npm run azure -- --subscription ID [flags]

  --region=REGION        where (westeurope)
  --yes                  do not ask
  --continue             finish the run that a failure or Ctrl-C has ended
  --clean                only remove what killed runs have left in the subscription
  --with-entra           also create applications in Entra, and remove them
  --webhook=URL          a public URL that leads to this machine's port, for handshakes and deliveries
  --port=PORT            that port (8080)
  --providers=SOURCE     registry, or a directory with Terraform's providers (registry)
  --help                 show this help`;

export interface Options {
  readonly subscription: string;
  readonly region: string;
  readonly yes: boolean;
  readonly continues: boolean;
  readonly clean: boolean;
  readonly withEntra: boolean;
  readonly webhook: string | undefined;
  readonly port: number;
  readonly providers: ProviderSource;
}

/** @throws TypeError that says what is wrong */
export function readOptions(args: readonly string[]): Options | "help" {
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
  const { subscription, region, webhook, yes, clean } = values;
  const problems = [
    ...(/^[0-9a-f-]{36}$/i.test(subscription)
      ? []
      : ["--subscription must be a subscription's ID."]),
    ...(/^[a-z0-9]+$/.test(region)
      ? []
      : [`--region must be a name such as westeurope, not "${region}".`]),
    ...(webhook === undefined || /^https:\/\/[^/]+$/.test(webhook)
      ? []
      : [`--webhook must be an https URL without a path, not "${webhook}".`]),
    ...(/^\d{1,5}$/.test(values.port) ? [] : [`--port must be a port, not "${values.port}".`]),
  ];
  if (problems.length > 0) throw new TypeError(problems.join(" "));
  return {
    ...{ subscription, region, webhook, yes, clean },
    continues: values.continue,
    withEntra: values["with-entra"],
    port: Number(values.port),
    providers: providerSource(values.providers),
  };
}
