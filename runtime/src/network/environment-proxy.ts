/** The variables that undici's `EnvHttpProxyAgent` reads for an https URL. */
export function environmentProxy(): string | undefined {
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY } = process.env;
  return (https_proxy ?? HTTPS_PROXY) || (http_proxy ?? HTTP_PROXY);
}
