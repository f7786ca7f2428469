import { CloudEventGridError } from "cloud-eventgrid-binding-runtime/events";
import { createService } from "./service.js";

try {
  const { publisher } = createService();
  const [id] = await publisher.create({ type: "com.example.orders.created", data: { id: "1" } });
  console.log("published", id);
  await publisher.close();
} catch (error) {
  if (!(error instanceof CloudEventGridError)) throw error;
  console.error(error.message); // such as the variables that are missing or invalid
  process.exitCode = 1;
}
