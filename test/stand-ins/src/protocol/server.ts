import { fileURLToPath } from "node:url";
import {
  type GrpcObject,
  type handleUnaryCall,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { Provider } from "../provider/provider.js";
import type {
  ApplyRequest,
  ConfigRequest,
  ImportRequest,
  PlanRequest,
  ReadRequest,
  TypeConfigRequest,
  UpgradeRequest,
} from "./messages.js";
import { failure, ProviderService } from "./service.js";

/** A provider that Terraform can attach to. */
export interface ServedProvider {
  /** The provider's place in `TF_REATTACH_PROVIDERS`. */
  readonly attachment: readonly [source: string, how: object];
  stop(): Promise<void>;
}

/**
 * Serves a provider in this process, on a free port of the loopback interface. A port, not a Unix
 * socket, because a TCP peer has an address: it tells one provider block's connection from the
 * other's, each with a configuration of its own.
 */
export async function serve<Account>(provider: Provider<Account>): Promise<ServedProvider> {
  const server = new Server({ "grpc.max_receive_message_length": -1 });
  server.addService(definition(), calls(new ProviderService(provider)));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    attachment: [
      provider.source,
      {
        Protocol: "grpc",
        ProtocolVersion: 5,
        Pid: process.pid,
        Test: true,
        Addr: { Network: "tcp", String: `127.0.0.1:${port}` },
      },
    ],
    stop: async () => server.forceShutdown(),
  };
}

function calls<Account>(service: ProviderService<Account>) {
  return {
    GetSchema: unary(() => service.getSchema()),
    PrepareProviderConfig: unary((request: ConfigRequest) =>
      service.prepareProviderConfig(request),
    ),
    ValidateResourceTypeConfig: unary((request: TypeConfigRequest) =>
      service.validateResource(request),
    ),
    ValidateDataSourceConfig: unary((request: TypeConfigRequest) =>
      service.validateDataSource(request),
    ),
    UpgradeResourceState: unary((request: UpgradeRequest) => service.upgradeState(request)),
    Configure: unary((request: ConfigRequest, connection) =>
      service.configure(request, connection),
    ),
    ReadResource: unary((request: ReadRequest, connection) => service.read(request, connection)),
    PlanResourceChange: unary((request: PlanRequest) => service.plan(request)),
    ApplyResourceChange: unary((request: ApplyRequest, connection) =>
      service.apply(request, connection),
    ),
    ImportResourceState: unary((request: ImportRequest) => service.import(request)),
    ReadDataSource: unary((request: TypeConfigRequest, connection) =>
      service.readDataSource(request, connection),
    ),
    Stop: unary(() => ({})),
  };
}

function unary<Request>(
  answer: (request: Request, connection: string) => object | Promise<object>,
): handleUnaryCall<Request, object> {
  return async (call, callback) => {
    try {
      callback(null, await answer(call.request, call.getPeer()));
    } catch (error) {
      callback(null, failure(error));
    }
  };
}

function definition() {
  const path = fileURLToPath(new URL("./provider.proto", import.meta.url));
  const loaded = loadSync(path, { keepCase: true, longs: Number, defaults: true, oneofs: true });
  const { tfplugin5 } = loadPackageDefinition(loaded);
  const { Provider } = tfplugin5 as GrpcObject;
  return (Provider as ServiceClientConstructor).service;
}
