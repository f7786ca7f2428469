import type { ClockChoice } from "./clock/index.js";
import type { ControlPlaneOptions } from "./control-plane/index.js";
import type { DeliveryAttempt } from "./eventgrid/delivery/delivery-attempt.js";
import type { Handshake } from "./eventgrid/subscriptions/index.js";
import type { IngressTable } from "./ingress.js";

/** What {@link LocalCloud.start} can be told; everything can be left out. */
export interface LocalCloudOptions {
  /** @default 11111111-1111-4111-8111-111111111111 */
  readonly tenantId?: string;
  /** @default 22222222-2222-4222-8222-222222222222 */
  readonly subscriptionId?: string;
  /** Port of the HTTP side on 127.0.0.1. @default 0, a free one */
  readonly port?: number;
  /**
   * Resource Manager and Graph over HTTPS, for Terraform and other tools of Azure.
   * @default false
   */
  readonly control?: boolean | ControlPlaneOptions;
  /** Public https addresses of webhooks, and the local servers behind them. @default none */
  readonly ingress?: IngressTable;
  /** How time runs for retries and the like. @default "real" */
  readonly clock?: ClockChoice;
  /**
   * Certificate authorities, as PEM, that webhooks outside the ingress table may have their
   * certificates from, beside the public ones. A self-signed certificate is refused, as by Azure.
   * @default none
   */
  readonly endpointCa?: string | readonly string[];
  /**
   * Where dead letters are written as files: `{directory}/{account}/{container}/{blob}`.
   * @default they are kept in memory only
   */
  readonly deadLetterDirectory?: string;
  /**
   * How many of the latest deliveries, handshakes, dead letters and events of a topic are kept to
   * be looked at; 64 MiB of events each at most.
   * @default 10000
   */
  readonly history?: number;
  /** Told of every handshake as it ends, for example to log it. */
  readonly onHandshake?: (handshake: Handshake) => void;
  /** Told of every delivery attempt as it ends, for example to log it. */
  readonly onDelivery?: (attempt: DeliveryAttempt) => void;
  /**
   * Real milliseconds that a stepped clock waits for answers under way before it moves over them.
   * @default 5000
   */
  readonly stepPatienceMs?: number;
  /** The wall's clock, in milliseconds since 1970: tokens are dated by it. @default Date.now */
  readonly now?: () => number;
  /** A number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}
