import { join } from "node:path";
import {
  type Change,
  type Progress,
  type ProviderSource,
  prepareProviders,
  Terraform,
} from "cloud-eventgrid-stand-ins";
import type { Deployment, DeploymentPlace } from "./deployment.js";

/** Deploys with the Terraform program, as users of the constructs do. */
export async function terraformDeployment(
  { cloud, outdir, stack, timeline, signal }: DeploymentPlace,
  source: ProviderSource,
): Promise<Deployment> {
  const providers = await prepareProviders(source, cloud.terraformEnvironment());
  const terraform = new Terraform({
    directory: join(outdir, "stacks", stack),
    providers,
    signal,
    onProgress: (progress) => {
      if (progress.action !== "read") timeline.detail(shown(progress));
    },
  });

  const plan = async () => (await terraform.plan()).changes;
  let initialised = false;
  return {
    apply: async () => {
      if (!initialised) await terraform.init();
      initialised = true;
      timeline.line("plan", summary(await plan()));
      timeline.line("apply", "terraform apply");
      const { outputs } = await terraform.apply();
      timeline.line("plan", `once more: ${(await plan()).length} changes`);
      return outputs.environment as Record<string, string>;
    },
    destroy: async () => {
      timeline.line("destroy", "terraform destroy");
      await terraform.destroy();
    },
    stop: () => providers.stop(),
  };
}

const shown = ({ address, action, succeeded }: Progress) =>
  `${succeeded ? action : `failed to ${action}`}  ${address}`;

/** Terraform's own summary of a plan. */
function summary(changes: readonly Change[]): string {
  const count = (...actions: Change["action"][]) =>
    changes.filter(({ action }) => actions.includes(action)).length;
  return `${count("create", "replace")} to add, ${count("update")} to change, ${count("delete", "replace")} to destroy`;
}
