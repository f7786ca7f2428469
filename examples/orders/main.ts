import { resolve } from "node:path";
import { App } from "cdktf";
import { OrdersStack } from "./stack.js";

const { env } = process;

/** Without these variables the stack is synthesized for an invented tenant and subscription. */
const app = new App();
new OrdersStack(app, "orders", {
  cloudTenantId: env.CLOUD_TENANT_ID ?? "11111111-1111-4111-8111-111111111111",
  cloudSubscriptionId: env.CLOUD_SUBSCRIPTION_ID ?? "22222222-2222-4222-8222-222222222222",
  subscriberEndpoint: env.ORDERS_URL ?? "https://orders.example.com/api/events",
  handshakePort: env.ORDERS_PORT ?? "9000",
  logFile: resolve(env.ORDERS_LOG ?? "cdktf.out/orders.log"),
  ...(env.CLOUD_AUTHORITY_HOST && { cloudAuthorityHost: env.CLOUD_AUTHORITY_HOST }),
});
app.synth();
