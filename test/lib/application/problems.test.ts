import { EventGridServicePrincipal, WebhookApplication } from "cloud-eventgrid-binding";
import { existing, received } from "../fixtures.js";
import { create, describeProblems } from "../problems.js";

describeProblems("webhook applications", [
  [
    "reports an empty name and an invalid end of the secret",
    (scope) =>
      void new WebhookApplication(scope, "webhook", {
        displayName: "",
        clientSecret: { endDate: "soon" },
      }),
    ["displayName: non-empty-string", "clientSecret.endDate: time"],
  ],
  [
    "reports a missing name and a missing client ID",
    (scope) => {
      const nothing: unknown = {};
      new WebhookApplication(scope, "a", nothing as { displayName: string });
      WebhookApplication.fromClientId(scope, "b", nothing as { clientId: string });
    },
    ["displayName: required", "clientId: required"],
  ],
  [
    "reports an application that is named by something else than its client ID",
    (scope) =>
      void WebhookApplication.fromClientId(scope, "webhook", {
        clientId: "orders",
        eventGridApplicationId: "event-grid",
      }),
    ["eventGridApplicationId: uuid", "clientId: uuid"],
  ],
  [
    "reports an unknown cloud on every construct",
    (scope) => {
      const cloudEnvironment = "german" as "public";
      new WebhookApplication(scope, "a", { displayName: "orders", cloudEnvironment });
      new EventGridServicePrincipal(scope, "b", { cloudEnvironment });
      const { clientId } = existing;
      WebhookApplication.fromClientId(scope, "c", { clientId, cloudEnvironment });
    },
    ["cloudEnvironment: choice", "cloudEnvironment: choice", "cloudEnvironment: choice"],
  ],
  [
    "requires Event Grid's application ID in a cloud that does not publish it",
    (scope) => {
      const cloudEnvironment = "china";
      new EventGridServicePrincipal(scope, "a", { cloudEnvironment });
      new WebhookApplication(scope, "b", { displayName: "orders", cloudEnvironment });
    },
    ["eventGridApplicationId: required", "eventGridApplicationId: required"],
  ],
  [
    "reports props of the application that are set on the binding",
    (scope) => {
      const { clientId } = existing;
      const application = WebhookApplication.fromClientId(scope, "webhook", { clientId });
      create(scope, {
        ...received,
        application,
        servicePrincipal: "provision",
        existingAssignments: ["client"],
      });
    },
    ["servicePrincipal: unknown", "cloudClientId: application", "existingAssignments: application"],
  ],
  [
    "reports an object that is not an application",
    (scope) => {
      const { cloudClientId: clientId, ...rest } = received;
      create(scope, { ...rest, application: { clientId } });
    },
    ["cloudClientId: required", "application: type"],
  ],
]);
