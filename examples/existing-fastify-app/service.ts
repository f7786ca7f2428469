import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime/binding";
import { buildApp } from "./app.js";

const binding = bindingFromEnvironment("ORDERS", { direction: "input" });
const app = buildApp(binding);
process.once("SIGTERM", async () => {
  await app.eventGrid.drain(); // finishes deliveries in flight
  await app.close();
});
await app.listen({ host: "0.0.0.0", port: Number(binding.handshakePort) });
