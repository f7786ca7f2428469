import type { ControlPlane } from "../control-plane/index.js";
import type { Directory } from "../directory/index.js";
import type { SigningKeys, Tokens } from "../entra/index.js";
import type {
  DeadLetter,
  DeliveryAttempt,
  EventGrid,
  EventSubscriptions,
  Handshake,
  Message,
  Namespaces,
  Topics,
} from "../eventgrid/index.js";
import type { Ingress } from "../network/index.js";
import type { RecordingFile, ReplayOptions, ReplayResult } from "../replay/index.js";
import type { Alert, DiagnosticLog } from "../resource-manager/index.js";
import type { Clock, Duration, Faults } from "../simulation/index.js";

/** The cloud that the dashboard and the commands show and control. */
export interface DashboardCloud {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly httpOrigin: string;
  readonly clock: Clock;
  readonly clockKind: "real" | "scaled" | "stepped";
  readonly clockSpeed: number;
  readonly topics: Topics;
  readonly domains: Topics;
  readonly namespaces: Namespaces;
  readonly eventSubscriptions: EventSubscriptions;
  readonly directory: Directory;
  readonly ingress: Ingress;
  readonly eventGrid: EventGrid;
  readonly faults: Faults;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  /** Missing without Resource Manager. */
  readonly controlPlane: ControlPlane | undefined;
  deliveries(): DeliveryAttempt[];
  deadLetters(): DeadLetter[];
  messages(): Message[];
  handshakes(): Handshake[];
  alerts(): Alert[];
  diagnosticLogs(): DiagnosticLog[];
  drain(options: { readonly within?: Duration | undefined }): Promise<void>;
  reset(): Promise<void>;
  identityEnvironment(name: string, options: { readonly proxy: boolean }): Record<string, string>;
  replayFiles(
    files: readonly RecordingFile[],
    options: ReplayOptions,
    onProgress: (replayed: number) => void,
  ): Promise<ReplayResult>;
}
