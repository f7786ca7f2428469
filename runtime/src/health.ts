/** The state that health routes report. */
export interface Health {
  isReady(): boolean;
  /** Whether only a restart helps. */
  isStuck(): boolean;
}

interface Paths {
  readonly live?: string | undefined;
  readonly ready?: string | undefined;
}

/** Paths of health routes, with the defaults filled in. */
export function healthPaths({ live = "/healthz", ready = "/readyz" }: Paths) {
  return { live, ready } as const;
}

/** The response of a health route. */
export function healthResponse(isOk: boolean) {
  return isOk
    ? ({ status: 200, body: { status: "ok" } } as const)
    : ({ status: 503, body: { status: "unavailable" } } as const);
}
