import { eventsUrl, uuidRule } from "cloud-eventgrid-binding-runtime/internal";
import { readEnvironment, readEnvironmentBinding } from "../bindings/index.js";
import { CommandError, shownUrl, type Terminal, UsageError } from "../terminal/index.js";

/** How to reach the service, and which tokens it accepts. */
export interface ServiceFlags {
  readonly env?: string;
  readonly dotenv?: string;
  readonly webhookApplication?: string;
}

export interface LocalService {
  readonly url: URL;
  /** Client ID of the application that tokens are for. */
  readonly applicationId: string;
  /** The tenant whose tokens it accepts, if the options say it. */
  readonly tenantId?: string;
  /** The service's environment variable for the issuer of tokens. */
  readonly issuerVariable: string;
}

/** The application of a service that does not check tokens, or that has no other for this purpose. */
const DEFAULT_APPLICATION = "44444444-4444-4444-8444-444444444444";

/**
 * The service that the argument names: a port, or a URL. Without a path it is `/api/events`.
 *
 * @throws {UsageError} when the argument is wrong, or nothing says where the service is
 * @throws {CommandError} when the environment has no valid binding
 */
export function readLocalService(
  webhook: string | undefined,
  { env: prefix, dotenv, webhookApplication = DEFAULT_APPLICATION }: ServiceFlags,
  { env, directory }: Terminal,
): LocalService {
  if (!uuidRule.test(webhookApplication)) {
    throw new UsageError(
      `--webhook-application must be a client ID (a UUID), not "${webhookApplication}"`,
    );
  }
  if (prefix === undefined) {
    if (webhook === undefined) throw new UsageError("give the service's port, or --env <prefix>");
    return {
      url: urlOf(webhook),
      applicationId: webhookApplication,
      issuerVariable: "PREFIX_AUTHORITY_HOST",
    };
  }
  const variables = readEnvironment(env, directory, dotenv);
  const { binding, problems } = readEnvironmentBinding(prefix, variables, "input");
  if (binding === undefined || !("cloudClientId" in binding)) {
    throw new CommandError(problems.map(({ message }) => message).join("\n"));
  }
  const { cloudTenantId, cloudClientId, handshakePort, path } = binding;
  const url = urlOf(webhook ?? handshakePort, path);
  const issuerVariable = `${prefix}_AUTHORITY_HOST`;
  return { url, applicationId: cloudClientId, tenantId: cloudTenantId, issuerVariable };
}

function urlOf(webhook: string, path = "/api/events"): URL {
  const port = Number(webhook);
  if (Number.isInteger(port) && port > 0 && port < 65_536) {
    return new URL(path, `http://127.0.0.1:${port}`);
  }
  const url = URL.canParse(webhook) ? eventsUrl(webhook) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new UsageError(
    `the service must be a port or a URL such as http://127.0.0.1:9000/api/events, not "${shownUrl(webhook)}"`,
  );
}
