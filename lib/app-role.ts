import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/binding";

/** The app role as Microsoft's own script writes it. */
export const appRole = {
  displayName: SECURE_WEBHOOK_ROLE,
  value: SECURE_WEBHOOK_ROLE,
  description: "Azure Event Grid Role",
  allowedMemberTypes: ["Application", "User"],
};
