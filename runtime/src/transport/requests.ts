import type { Dispatcher } from "undici";
import type { Attempt } from "./attempt.js";
import type { AuthorizationHeader, Credentials } from "./credentials/index.js";
import { type HttpResponse, ResponseHandler } from "./response.js";

export const USER_AGENT = "cloud-eventgrid-binding-runtime";

/** One request, or two: a refused credential is renewed once, if there is another. */
export async function authorized(
  credentials: Credentials,
  attempt: Attempt,
  send: (header: AuthorizationHeader) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  for (let isRenewed = false; ; isRenewed = true) {
    const header = await attempt.until(credentials.header());
    const response = await send(header);
    if (response.status !== 401 || isRenewed) return response;
    attempt.stage = "credential";
    const challenge = response.headers["www-authenticate"];
    if (!(await attempt.until(credentials.renew(header, challenge)))) return response;
  }
}

/**
 * Sends one request.
 *
 * @param maxBodyBytes of a success whose body is read. Without it, a 200 is complete with its headers
 */
export function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  attempt: Attempt,
  maxBodyBytes?: number,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    attempt.stage = "connection";
    dispatcher.dispatch(options, new ResponseHandler(attempt, resolve, reject, maxBodyBytes));
  });
}
