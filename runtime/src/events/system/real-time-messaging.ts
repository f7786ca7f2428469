/** A client connection to a hub. */
export interface ClientConnection {
  /** RFC 3339 time. */
  timestamp: string;
  hubName: string;
  connectionId: string;
  /** User that the connection's token names; missing or `null` for anonymous connections. */
  userId?: string | null;
}

/** The end of a client's connection. */
export interface ClientDisconnection extends ClientConnection {
  /** Why the connection ended, where it did not end well. */
  errorMessage?: string | null;
}

/** The events of a SignalR service. The SDK does not list them. */
export interface RealTimeMessagingEvents {
  "Microsoft.SignalRService.ClientConnectionConnected": ClientConnection;
  "Microsoft.SignalRService.ClientConnectionDisconnected": ClientDisconnection;
}
