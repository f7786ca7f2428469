/** A client was connected to a hub. */
export interface ClientConnection {
  /** RFC 3339 time. */
  timestamp: string;
  hubName: string;
  connectionId: string;
  /** User in the connection's token; missing or `null` for anonymous connections. */
  userId?: string | null;
}

/** A client was disconnected. */
export interface ClientDisconnection extends ClientConnection {
  /** Why the connection was aborted; missing if it was closed normally. */
  errorMessage?: string | null;
}

/** The events of a SignalR service, which the SDK does not have. */
export interface RealTimeMessagingEvents {
  "Microsoft.SignalRService.ClientConnectionConnected": ClientConnection;
  "Microsoft.SignalRService.ClientConnectionDisconnected": ClientDisconnection;
}
