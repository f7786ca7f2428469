/**
 * What a probe can end with; the numbers are exit codes, stable across releases. 1 and 2 are left
 * to failures of the program itself and to wrong arguments.
 */
export const EXIT_CODES = {
  consent: 0,
  "name-not-found": 10,
  "connection-refused": 11,
  "no-answer": 12,
  "certificate-not-trusted": 13,
  "not-https": 14,
  "connection-closed": 15,
  unavailable: 20,
  "authentication-required": 21,
  redirected: 22,
  "wrong-path": 23,
  "no-consent": 24,
  "unexpected-status": 25,
} as const;

/** What a probe ends with. */
export type Outcome = keyof typeof EXIT_CODES;

interface Explanation {
  /** One line that says what it means. */
  readonly meaning: string;
  /** What to look at, the likeliest first. */
  readonly remedies: readonly string[];
}

/** What an outcome means for whoever runs the webhook, and what mends it. */
export function explain(outcome: Outcome, status: number | undefined): Explanation {
  const special = outcome === "unexpected-status" && STATUSES[status ?? 0];
  return special || EXPLANATIONS[outcome];
}

/** Statuses that say more than that they are unexpected. */
const STATUSES: Readonly<Record<number, Explanation>> = {
  400: {
    meaning: "What answers takes the handshake for a malformed request.",
    remedies: [
      "Check that the listener of this package answers at that URL: another service does not know the handshake.",
      "Check that the ingress passes WebHook-Request-Origin on, and the host name: some answer 400 to a host that they do not serve.",
      "Check the URL's port: plain HTTP spoken to a TLS port, or the other way about, is often answered so.",
    ],
  },
  429: {
    meaning: "Something limits the rate of requests, and counts the handshake.",
    remedies: [
      "Exempt the webhook's path from the rate limit of the ingress, gateway or web application firewall: it would turn deliveries away, too.",
      "Wait, and try again less often: --interval 60 --timeout 600.",
    ],
  },
};

const EXPLANATIONS: Readonly<Record<Outcome, Explanation>> = {
  consent: { meaning: "The webhook consents to deliveries.", remedies: [] },
  "name-not-found": {
    meaning: "The host name has no address.",
    remedies: [
      "Check the host name for a misspelling.",
      "Create the DNS record, or wait until it is known everywhere.",
      "Probe before there is a record with --connect-to and the address of the ingress.",
    ],
  },
  "connection-refused": {
    meaning: "Nothing takes connections at that host and port.",
    remedies: [
      "Start the service, or wait for it: --timeout 120 tries again until then.",
      "Check that the ingress or load balancer listens on the URL's port, 443 when it names none.",
      "Check that no firewall stands between: Event Grid comes from the public internet.",
    ],
  },
  "no-answer": {
    meaning: "The connection stayed without an answer.",
    remedies: [
      "Check for a firewall that drops packets: Event Grid comes from the public internet.",
      "Check that the listener runs on the port that the ingress forwards to (handshakePort).",
    ],
  },
  "certificate-not-trusted": {
    meaning: "The certificate is not trusted; Event Grid would refuse it, too.",
    remedies: [
      "Use a certificate from a public authority: a self-signed one is never accepted.",
      "Serve the whole chain, with the intermediate certificates.",
      "Check that the certificate is in date, and that it names the URL's host.",
      "Wait until the certificate is issued, where it is ordered automatically: ingresses serve a self-signed one until then.",
    ],
  },
  "not-https": {
    meaning: "What listens there does not speak HTTPS as the URL says.",
    remedies: [
      "Check the URL's port: it must be the ingress's TLS port, not the listener's own.",
      "Terminate TLS in front of the listener, which speaks plain HTTP.",
    ],
  },
  "connection-closed": {
    meaning: "Something takes the connection, and closes it without an answer.",
    remedies: [
      "Look into the log of the ingress, gateway or web application firewall: some hang up on requests or names that they do not want.",
      "Check that the ingress forwards to the port that the listener takes (handshakePort), and by the protocol that it speaks there.",
      "Wait, where the service is just starting: --timeout 120 tries again until then.",
    ],
  },
  unavailable: {
    meaning: "Something in front of the webhook answers in its place, because it cannot reach it.",
    remedies: [
      "Wait until the service is up: --timeout 120 tries again until then.",
      "An ingress controller may go on with 503 after a first deployment: delete its pod, so that it restarts, and probe again.",
      "Check that the ingress forwards to the port that the listener takes (handshakePort).",
    ],
  },
  "authentication-required": {
    meaning: "The handshake is answered by something that asks for credentials.",
    remedies: [
      "Let OPTIONS pass without credentials: Event Grid sends none with a handshake. The listener checks the token of every delivery.",
      "Switch off the platform's own authentication for the webhook's path.",
      "Check the rules of a web application firewall: some refuse OPTIONS.",
    ],
  },
  redirected: {
    meaning: "The webhook redirects; Event Grid does not follow.",
    remedies: [
      "Register the URL that it redirects to, exactly as it is: scheme, host and trailing slash.",
      "Exempt the webhook's path from the redirect.",
    ],
  },
  "wrong-path": {
    meaning: "Nothing answers OPTIONS at that path.",
    remedies: [
      "Check that the URL's path is the one that the listener serves (/api/events by default).",
      "Where the ingress rewrites paths, give the listener the rewritten one (path).",
      "Wait until the ingress knows the route: --timeout 120 tries again until then.",
    ],
  },
  "no-consent": {
    meaning: "The answer does not carry the consent that Event Grid asks for.",
    remedies: [
      "Check that the listener of this package answers at that URL, and not a default page.",
      "Check that the ingress passes WebHook-Request-Origin on, and the answer's WebHook-Allowed-Origin back.",
      "Check that listener and probe are of the same cloud (--cloud).",
    ],
  },
  "unexpected-status": {
    meaning: "The answer is none that a webhook gives to a handshake.",
    remedies: [
      "Look into the service's log for this request.",
      "Check what stands between: an ingress, a gateway, a web application firewall.",
    ],
  },
};
