/** The variables that undici's `EnvHttpProxyAgent` reads for an https URL. */
export function environmentProxy(): string | undefined {
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY } = process.env;
  return (https_proxy ?? HTTPS_PROXY) || (http_proxy ?? HTTP_PROXY);
}

const NOT_TLS = new Set(["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"]);
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;

/** The reason of a failed connection for a message: Node's text, with the remedy of common mistakes. */
export function withRemedy(message: string, code: string): string {
  if (NOT_TLS.has(code)) return "the server does not speak TLS: check the protocol and the port";
  if (code === "ECONNREFUSED") {
    return `${message}: no server listens there, so start it or correct host and port`;
  }
  return UNTRUSTED.test(code)
    ? `${message}: name its certificate authority in NODE_EXTRA_CA_CERTS`
    : message;
}
