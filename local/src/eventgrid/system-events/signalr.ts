import { family, type SampleOf } from "./system-event.js";

const connection =
  (more: Readonly<Record<string, unknown>>): SampleOf =>
  ({ time, newId }) => ({
    subject: "/hub/chat",
    data: { timestamp: time, hubName: "chat", connectionId: newId(), userId: "user-1", ...more },
  });

/** SignalR. */
export const signalR = family({
  resourceType: "Microsoft.SignalRService/SignalR",
  samples: {
    "Microsoft.SignalRService.ClientConnectionConnected": connection({}),
    "Microsoft.SignalRService.ClientConnectionDisconnected": connection({
      errorMessage: "Internal server error.",
    }),
  },
});
