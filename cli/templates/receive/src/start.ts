import { BindingConfigurationError } from "cloud-eventgrid-binding-runtime";
import { createService } from "./service.js";

try {
  const service = createService();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => service.stop());
  await service.start();
} catch (error) {
  if (!(error instanceof BindingConfigurationError)) throw error;
  console.error(error.message); // lists the variables that are missing or invalid
  process.exitCode = 1;
}
