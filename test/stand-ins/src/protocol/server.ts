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
import { type Answer, answersOf, failure, type Request } from "./service.js";

/** A running stand-in, and its entry in `TF_REATTACH_PROVIDERS`. */
interface Served {
  readonly attachment: object;
  stop(): void;
}

/**
 * Serves a provider in this process, on a free port of the loopback interface. It uses a port
 * rather than a Unix socket because a TCP peer has an address, which distinguishes the connections
 * of the provider blocks.
 */
export async function serve(provider: Provider): Promise<Served> {
  const server = new Server({ "grpc.max_receive_message_length": -1 });
  const answers = Object.entries(answersOf(provider));
  server.addService(
    definition(),
    Object.fromEntries(answers.map(([name, answer]) => [name, unary(answer)])),
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const attachment = {
    Protocol: "grpc",
    ProtocolVersion: 5,
    Pid: process.pid,
    Test: true,
    Addr: { Network: "tcp", String: `127.0.0.1:${port}` },
  };
  return { attachment, stop: () => server.forceShutdown() };
}

function unary(answer: Answer): handleUnaryCall<Request, object> {
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
  const [contents] = Object.values(loadPackageDefinition(loaded));
  return ((contents as GrpcObject).Provider as ServiceClientConstructor).service;
}
