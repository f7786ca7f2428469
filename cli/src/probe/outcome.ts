/**
 * The outcomes of a probe with their exit codes, which are stable across releases. 1 and 2 stand for
 * failures of the program itself and for wrong arguments.
 */
export const EXIT_CODES = {
  consent: 0,
  "name-not-found": 10,
  "connection-refused": 11,
  "no-answer": 12,
  "certificate-not-trusted": 13,
  "not-https": 14,
  "connection-closed": 15,
  "proxy-failed": 16,
  unavailable: 20,
  "authentication-required": 21,
  redirected: 22,
  "wrong-path": 23,
  "no-consent": 24,
  "unexpected-status": 25,
  cors: 26,
} as const;

export type Outcome = keyof typeof EXIT_CODES;

interface Explanation {
  /** One sentence. */
  readonly meaning: string;
  /** Checks to make, the likeliest cause first. */
  readonly remedies: readonly string[];
}

/** The service that answers instead of a webhook: App Service's authentication, or its access restrictions. */
export type Cause = "sign-in" | "access-restrictions";

/** Explains an outcome and how to remedy it. */
export function explain({
  outcome,
  status,
  cause,
}: {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly cause?: Cause | undefined;
}): Explanation {
  if (cause !== undefined) return CAUSES[cause];
  const special = outcome === "unexpected-status" && STATUSES[Number(status)];
  return special || EXPLANATIONS[outcome];
}

const CAUSES: Readonly<Record<Cause, Explanation>> = {
  "sign-in": {
    meaning: "A sign-in page answers: App Service authentication (Easy Auth), or another gateway.",
    remedies: [
      "Exclude the webhook's path from App Service authentication (excludedPaths), or allow requests without authentication: the listener checks the token of every delivery.",
    ],
  },
  "access-restrictions": {
    meaning: "App Service's access restrictions refuse the address of this machine.",
    remedies: [
      "Check that the access restrictions admit the service tag AzureEventGrid; probe from an address that they admit.",
    ],
  },
};

const STATUSES: Readonly<Record<number, Explanation>> = {
  400: {
    meaning: "The server considers the handshake a malformed request.",
    remedies: [
      "Check that this URL leads to the listener: other services do not know the handshake.",
      "Check that the ingress forwards WebHook-Request-Origin and the host name; some answer 400 for a host that they do not serve.",
      "Check the URL's port: a server that receives TLS on its HTTP port, or HTTP on its TLS port, often answers 400.",
    ],
  },
  429: {
    meaning: "A rate limit refused the handshake.",
    remedies: [
      "Exempt the webhook's path from the rate limit of the ingress, gateway or web application firewall: it would refuse deliveries too.",
      "Wait some minutes before the next probe.",
    ],
  },
};

const EXPLANATIONS: Readonly<Record<Outcome, Explanation>> = {
  consent: { meaning: "The webhook consents to deliveries.", remedies: [] },
  "name-not-found": {
    meaning: "The host name has no address.",
    remedies: [
      "Check the spelling of the host name.",
      "Create the DNS record, or wait until it has spread.",
      "To probe before the record exists, use probe --connect-to with the address of the ingress.",
    ],
  },
  "connection-refused": {
    meaning: "Nothing accepts connections at this host and port.",
    remedies: [
      "Start the service, or wait for it: probe --timeout 120 retries for two minutes.",
      "Check that the ingress or load balancer listens on the URL's port (443 by default).",
      "Check the firewalls: Event Grid calls from the public internet.",
    ],
  },
  "no-answer": {
    meaning: "There was no answer within the timeout.",
    remedies: [
      "Check for a firewall that drops packets: Event Grid calls from the public internet.",
      "Check that the listener runs on the port that the ingress forwards to (handshakePort).",
    ],
  },
  "certificate-not-trusted": {
    meaning: "The certificate is not trusted; Event Grid refuses it too.",
    remedies: [
      "Use a certificate from a public authority: a self-signed one is never accepted.",
      "Serve the whole chain, with the intermediate certificates.",
      "Check that the certificate is in date and names the URL's host.",
      "If the certificate is ordered automatically, wait until it is issued: ingresses serve a self-signed one until then.",
    ],
  },
  "not-https": {
    meaning: "The server at this port does not speak HTTPS.",
    remedies: [
      "Check the URL's port: it must be the ingress's TLS port, not the listener's own.",
      "Terminate TLS in front of the listener, which speaks plain HTTP.",
    ],
  },
  "connection-closed": {
    meaning: "The connection was accepted and then closed without an answer.",
    remedies: [
      "Read the log of the ingress, gateway or web application firewall: some close the connection for requests or host names that they refuse.",
      "Check that the ingress forwards to the listener's port (handshakePort), with the protocol that the listener speaks.",
      "If the server ends the TLS handshake, let it serve the URL's host with TLS 1.2, and demand no client certificate.",
      "If the service is just starting, wait: probe --timeout 120 retries for two minutes.",
    ],
  },
  "proxy-failed": {
    meaning: "The proxy of HTTPS_PROXY does not connect to the webhook.",
    remedies: [
      "Check HTTPS_PROXY, and that the proxy may connect to the webhook's host.",
      "To connect without the proxy, add the webhook's host to NO_PROXY.",
    ],
  },
  unavailable: {
    meaning: "A proxy in front of the webhook cannot reach it.",
    remedies: [
      "Wait until the service is up: probe --timeout 120 retries for two minutes.",
      "An ingress controller may keep answering 503 after a first deployment: delete its pod so that it restarts, and probe again.",
      "Check that the ingress forwards to the port that the listener uses (handshakePort).",
    ],
  },
  "authentication-required": {
    meaning: "The server asks for credentials, and Event Grid sends none with a handshake.",
    remedies: [
      "Let OPTIONS pass without credentials; the listener checks the token of every delivery.",
      "Switch off the platform's own authentication for the webhook's path.",
      "Check the rules of a web application firewall: some refuse OPTIONS.",
    ],
  },
  redirected: {
    meaning: "The webhook redirects; Event Grid does not follow.",
    remedies: [
      "Register the URL that it redirects to, with the same scheme, host and trailing slash.",
      "Exempt the webhook's path from the redirect.",
    ],
  },
  "wrong-path": {
    meaning: "Nothing answers OPTIONS at this path.",
    remedies: [
      "Check that the URL's path is the one that the listener serves (/api/events by default).",
      "If the ingress rewrites paths, configure the listener with the rewritten path.",
      "Wait until the ingress knows the route: probe --timeout 120 retries for two minutes.",
    ],
  },
  "no-consent": {
    meaning: "The answer does not contain the consent that Event Grid asks for.",
    remedies: [
      "Check that this URL leads to the listener and not to a default page.",
      "Check that the ingress forwards WebHook-Request-Origin, and WebHook-Allowed-Origin in the answer.",
      "Check that the listener is configured for the same cloud as the probe (--cloud).",
    ],
  },
  cors: {
    meaning: "CORS answers OPTIONS, so that the listener never sees the handshake.",
    remedies: [
      "Switch off CORS for the webhook's path, in the platform (API Management, Logic Apps, App Service) and in the framework.",
      "If CORS is a middleware, let the webhook answer before it.",
    ],
  },
  "unexpected-status": {
    meaning: "A webhook does not answer a handshake with this status.",
    remedies: [
      "Look for this request in the service's log.",
      "Check the ingress, gateway or web application firewall in front of it.",
    ],
  },
};
