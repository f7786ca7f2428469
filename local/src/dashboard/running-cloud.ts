import type { ControlPlane } from "../control-plane/index.js";
import type { SigningKeys, Tokens } from "../entra/index.js";
import type { DeliveryAttempt, EventGrid, Handshake } from "../eventgrid/index.js";
import type { Ingress } from "../network/index.js";
import type { RecordingFile, ReplayOptions, ReplayResult } from "../replay/index.js";
import type { Clock, Duration, Faults } from "../simulation/index.js";

/** The parts of Event Grid that the dashboard reads. */
type EventGridParts = Pick<
  EventGrid,
  "topics" | "domains" | "namespaces" | "eventSubscriptions" | "deadLetters" | "messages"
>;

/** The cloud that the dashboard and the commands show and control. */
export interface RunningCloud extends EventGridParts, Pick<ControlPlane, "identityEnvironment"> {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly httpOrigin: string;
  readonly clock: Clock;
  readonly clockKind: "real" | "scaled" | "stepped";
  readonly clockSpeed: number;
  readonly ingress: Ingress;
  readonly eventGrid: EventGrid;
  readonly faults: Faults;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  deliveries(): DeliveryAttempt[];
  handshakes(): Handshake[];
  drain(options: { readonly within?: Duration | undefined }): Promise<void>;
  reset(): Promise<void>;
  replayFiles(
    files: readonly RecordingFile[],
    options: ReplayOptions,
    onProgress: (replayed: number) => void,
  ): Promise<ReplayResult>;
}
