import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type ServiceError, serviceError } from "../base/index.js";
import { credentialsIn, type Exchange, isEqualText } from "../http/index.js";
import type { ServerNames } from "./server-names.js";

/**
 * Decides who may read and control the cloud.
 *
 * - `Host` must be one of this server's names, so that a web page cannot rebind its own name here.
 * - `Origin`, which browsers send, must be this server's own.
 * - The token is in the URL that the command prints, then in a cookie, or in an `Authorization`
 *   header of programs.
 */
export class Access {
  constructor(
    private readonly serverNames: ServerNames,
    /**
     * Whether the server can be reached from this machine only. Programs on this machine may then
     * control the cloud without the token.
     */
    readonly loopbackOnly: boolean,
    /** The token that opens the dashboard; `false` for none, on loopback only. */
    readonly token: string | false = randomBytes(16).toString("hex"),
  ) {}

  /** @throws ServiceError 403 for a request that a foreign web page caused */
  checkOrigin({ request, origin }: Exchange): void {
    const { hostname } = new URL(origin);
    if (!this.serverNames.includes(hostname)) {
      throw forbidden(
        `The host name '${hostname}' is not one of this server's. Use localhost or an IP address, or add the name with --host-name.`,
      );
    }
    const caller = request.headers.origin;
    if (caller !== undefined && caller !== origin) {
      throw forbidden(`Pages of ${caller} may not call this server.`);
    }
  }

  /** Whether the request has the token, or needs none. */
  isOpenTo(exchange: Exchange): boolean {
    if (this.token === false) return true;
    const { request, url } = exchange;
    const bearer = credentialsIn(request.headers.authorization, "bearer");
    const given =
      bearer ?? url.searchParams.get("token") ?? cookieOf(request, cookieName(exchange));
    return given !== undefined && this.isToken(given);
  }

  isToken(text: string): boolean {
    return this.token !== false && isEqualText(text, this.token);
  }

  /** @throws ServiceError 401 without the token */
  checkToken(exchange: Exchange): void {
    if (this.isOpenTo(exchange)) return;
    throw serviceError.Unauthorized(
      "The token is missing or wrong. Open the address that the command printed, or send the token in the header 'Authorization: Bearer …'.",
    );
  }

  /** Whether the URL contains the token, which then moves into a cookie. */
  tokenInUrl({ url }: Exchange): boolean {
    const given = url.searchParams.get("token");
    return given !== null && this.isToken(given);
  }

  /** The cookie that keeps the token: a page's scripts cannot read it, other sites cannot send it. */
  cookie(exchange: Exchange): string {
    return `${cookieName(exchange)}=${this.token}; Path=/; HttpOnly; SameSite=Lax`;
  }
}

/** Cookies do not distinguish ports, and two clouds may run on one machine. */
function cookieName({ origin }: Exchange): string {
  return `cloud-eventgrid-local-${new URL(origin).port || "default"}`;
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const cookies = request.headers.cookie?.split(";").map((each) => each.trim());
  return cookies?.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}

function forbidden(message: string): ServiceError {
  return serviceError.Forbidden(message);
}
