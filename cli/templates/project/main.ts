import { App } from "cdktf";
import { OrdersStack } from "./stack.js";

const { env } = process;
const missing: string[] = [];

/** A variable that Azure needs. For a local Azure, its usual value is enough. */
function variable(name: string, local: string): string {
  const value = env[name] || (env.CLOUD_AUTHORITY_HOST && local);
  if (!value) missing.push(name);
  return value || "";
}

const props = {
  cloudTenantId: variable("ARM_TENANT_ID", "11111111-1111-4111-8111-111111111111"),
  cloudSubscriptionId: variable("ARM_SUBSCRIPTION_ID", "22222222-2222-4222-8222-222222222222"),
  cloudAuthorityHost: env.CLOUD_AUTHORITY_HOST, // set for a local Azure only
  image: variable("IMAGE", "orders:local"), // if container-apps
  subscribed: env.SUBSCRIBED !== "no", // if webhook
  receiver: variable("RECEIVER", "33333333-3333-4333-8333-333333333333"), // if own-identity
  existingSubscription: env.ADOPTED === "yes" ? "adopted" : "adopt", // if adopt
} as const;

if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")} before you synthesize: README.md says how.`);
  process.exit(1);
}
const app = new App();
new OrdersStack(app, "orders", props);
app.synth();
