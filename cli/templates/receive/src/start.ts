import { CloudEventGridError } from "cloud-eventgrid-binding-runtime/events";
import { createService } from "./service.js";

try {
  const service = createService();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => service.stop());
  await service.start();
} catch (error) {
  if (!(error instanceof CloudEventGridError)) throw error;
  console.error(error.message); // such as the variables that are missing or invalid
  process.exitCode = 1;
}
