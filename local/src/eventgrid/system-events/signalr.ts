import { family, partsOfSubject, type SampleOf } from "./system-event.js";

const connection =
  (more: Readonly<Record<string, unknown>>): SampleOf =>
  (source) => {
    const { time, newId } = source;
    const subject = "/hub/chat";
    const [hubName] = partsOfSubject(source, subject, /^\/hub\/([^/]+)$/i);
    const data = { timestamp: time, hubName, connectionId: newId(), userId: "user-1", ...more };
    return { subject, data };
  };

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
