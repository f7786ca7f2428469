import { join } from "node:path";
import {
  type Change,
  type Progress,
  type ProviderSource,
  prepareProviders,
  Terraform,
} from "cloud-eventgrid-stand-ins";
import type { Deployment, DeploymentPlace } from "./deployment.js";
import { readSynthesized } from "./synthesized.js";

/** Deploys with the Terraform program, as users of the constructs do. */
export async function terraformDeployment(
  { cloud, outdir, stack, timeline, order, signal }: DeploymentPlace,
  source: ProviderSource,
): Promise<Deployment> {
  const { resources } = readSynthesized(outdir, stack);
  const labels = new Map(resources.map(({ address, label }) => [address, label]));
  const providers = await prepareProviders(source, cloud.terraformEnvironment());
  const terraform = new Terraform({
    directory: join(outdir, "stacks", stack),
    providers,
    signal,
    onProgress: (progress) => {
      if (progress.action !== "read") timeline.detail(shown(progress, labels));
    },
  });

  async function plan(): Promise<readonly Change[]> {
    timeline.line("plan", "compares the stack with the local Azure");
    return (await terraform.plan()).changes;
  }

  let initialised = false;
  return {
    apply: async () => {
      if (!initialised) {
        timeline.line("init", "installs the providers");
        await terraform.init();
      }
      timeline.line("plan", summary(await plan()));
      const first = order ?? "creates all resources";
      timeline.line("apply", initialised ? "changes what differs" : first);
      initialised = true;
      const { outputs } = await terraform.apply();
      timeline.line("plan", `once more: ${(await plan()).length} changes`);
      return outputs.environment as Record<string, string>;
    },
    destroy: async () => {
      timeline.line("destroy", "deletes all resources");
      await terraform.destroy();
    },
    stop: () => providers.stop(),
  };
}

const shown = (
  { address, action, succeeded }: Progress,
  labels: ReadonlyMap<string, string>,
): string => `${succeeded ? action : `failed to ${action}`}  ${labels.get(address) ?? address}`;

/** Terraform's own summary of a plan. */
function summary(changes: readonly Change[]): string {
  const count = (...actions: Change["action"][]) =>
    changes.filter(({ action }) => actions.includes(action)).length;
  return `${count("create", "replace")} to add, ${count("update")} to change, ${count("delete", "replace")} to destroy`;
}
