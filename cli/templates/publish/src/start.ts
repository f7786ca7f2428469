import { ConfigurationError } from "cloud-eventgrid-binding-runtime";
import { createService } from "./service.js";

try {
  const { publisher } = createService();
  const [id] = await publisher.create({ type: "com.example.orders.created", data: { id: "1" } });
  console.log("published", id);
  await publisher.close();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message); // lists the variables that are missing or invalid
  process.exitCode = 1;
}
