/** Who calls a management service: what its bearer token says. */
export interface Caller {
  readonly tenantId: string;
  /** Object ID of the service principal. */
  readonly objectId: string;
  readonly clientId: string;
}

/** Tells who a bearer token speaks for; throws when the token is not good for the service. */
export type Authenticate = (token: string) => Promise<Caller>;
