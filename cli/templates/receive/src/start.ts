import { ConfigurationError } from "cloud-eventgrid-binding-runtime";
import { createService } from "./service.js";

try {
  const service = createService();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => service.stop());
  await service.start();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message); // lists the variables that are missing or invalid
  process.exitCode = 1;
}
