import { createServer } from "node:http";
import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { buildApp } from "./app.js";

const binding = bindingFromEnvironment("ORDERS", { direction: "input" });
const { app, webhook } = buildApp(binding);
// Deliveries may have more headers than Node accepts by default.
const server = createServer({ maxHeaderSize: 65_536 }, app);
process.once("SIGTERM", async () => {
  await webhook.close(); // finishes deliveries in flight
  server.close();
});
server.listen(Number(binding.handshakePort), "0.0.0.0");
