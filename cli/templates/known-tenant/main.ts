import { App } from "cdktf";
import { component } from "./component.js";
import { OrdersStack } from "./stack.js";

const { env } = process;

const app = new App();
new OrdersStack(app, "orders", {
  cloudTenantId: env.ARM_TENANT_ID || component.cloudTenantId,
  cloudSubscriptionId: env.ARM_SUBSCRIPTION_ID || component.cloudSubscriptionId,
  cloudAuthorityHost: env.CLOUD_AUTHORITY_HOST, // set for a local Azure only
  subscribed: env.SUBSCRIBED !== "no",
  existingSubscription: env.ADOPTED === "yes" ? "adopted" : "adopt", // if adopt
});
app.synth();
