import { type Checks, faultsOf } from "../checks/checks.js";
import type { Account } from "../cloud/account.js";
import { apply, refresh } from "../provider/apply.js";
import { plan } from "../provider/plan.js";
import type { Provider } from "../provider/provider.js";
import { fromMsgpack, toMsgpack } from "../values/msgpack.js";
import { type BlockSchema, conform, protocolSchema, type Schema } from "../values/schema.js";
import { type Attributes, isAttributes } from "../values/value.js";

interface DynamicValue {
  readonly msgpack: Uint8Array;
}

/** The fields of all requests that the stand-ins read. A request has those of its message. */
export interface Request {
  readonly type_name: string;
  readonly config: DynamicValue | null;
  readonly current_state: DynamicValue | null;
  readonly prior_state: DynamicValue | null;
  readonly planned_state: DynamicValue | null;
  readonly proposed_new_state: DynamicValue | null;
  readonly raw_state: { readonly json: Uint8Array } | null;
  readonly private: Uint8Array;
  readonly prior_private: Uint8Array;
  readonly planned_private: Uint8Array;
  /** Of the resource to import. */
  readonly id: string;
}

/** @param connection belongs to one provider block: the default or an alias */
export type Answer = (request: Request, connection: string) => object | Promise<object>;

/** Answers the calls of the plugin protocol for one provider, by their names. */
export function answersOf(provider: Provider): Record<string, Answer> {
  const { schema, source, release } = provider;
  /** What each provider block was configured with, by its connection. */
  const configured = new Map<string, { account: Account; stopping: AbortController }>();

  const account = (connection: string): Account => {
    const found = configured.get(connection);
    if (found === undefined) throw new Error("the provider has not been configured");
    return found.account;
  };
  const blockOf = ({ type_name }: Request): BlockSchema =>
    schema.resource_schemas[type_name]?.block ?? {};

  return {
    GetSchema: () => ({
      provider: protocolSchema(schema.provider),
      resource_schemas: protocolSchemas(schema.resource_schemas),
      data_source_schemas: protocolSchemas(schema.data_source_schemas),
      server_capabilities: { get_provider_schema_optional: true },
    }),
    PrepareProviderConfig: ({ config }) => ({ prepared_config: config }),
    ValidateResourceTypeConfig(request) {
      const config = attributes(request.config) ?? {};
      const wrong = faults(provider.checks.resources[request.type_name], config);
      return { diagnostics: [...missing(blockOf(request), config), ...wrong] };
    },
    ValidateDataSourceConfig: ({ type_name, config }) => ({
      diagnostics: faults(provider.checks.dataSources[type_name], attributes(config) ?? {}),
    }),

    UpgradeResourceState(request) {
      const state = JSON.parse(Buffer.from(request.raw_state?.json ?? []).toString());
      const block = blockOf(request);
      for (const name of dynamicIn(block)) state[name] = withoutRecordedType(state[name]);
      return { upgraded_state: dynamic(block, state) };
    },

    async Configure({ config }, connection) {
      const stopping = new AbortController();
      const settings = attributes(config) ?? {};
      const signedIn = await provider.configure(settings, stopping.signal);
      configured.set(connection, { account: signedIn, stopping });
      const detail =
        "It serves that release's schema and acts on the local Azure. Nothing real is created, changed or deleted; resource types that the local Azure does not know exist in memory only.";
      const summary = `This is a stand-in for ${source} ${release}`;
      return { diagnostics: [{ severity: "WARNING", summary, detail }] };
    },

    async ReadResource(request, connection) {
      const state = attributes(request.current_state);
      const type = provider.resource(request.type_name);
      const now = state === null ? null : await refresh(type, state, account(connection));
      return { new_state: dynamic(blockOf(request), now), private: request.private };
    },

    async PlanResourceChange(request, connection) {
      const block = blockOf(request);
      const proposed = attributes(request.proposed_new_state);
      const rest = { planned_private: request.prior_private, legacy_type_system: true };
      if (proposed === null) return { ...rest, planned_state: dynamic(block, null) };
      const type = provider.resource(request.type_name);
      const prior = attributes(request.prior_state);
      const config = attributes(request.config) ?? {};
      const { planned, replace } = type.planned
        ? await type.planned(prior, config, account(connection))
        : plan(block, type, prior, proposed);
      return {
        ...rest,
        planned_state: dynamic(block, planned),
        requires_replace: replace.map(attributePath),
      };
    },

    async ApplyResourceChange(request, connection) {
      const { state, error } = await apply(
        provider.resource(request.type_name),
        attributes(request.prior_state),
        attributes(request.planned_state),
        account(connection),
      );
      return {
        new_state: dynamic(blockOf(request), state),
        private: request.planned_private,
        ...(error !== undefined && failure(error)),
        legacy_type_system: true,
      };
    },

    /** An import only returns the ID; Terraform reads the rest right afterwards. */
    ImportResourceState(request) {
      const { type_name, id } = request;
      const state = dynamic(blockOf(request), { id });
      return { imported_resources: [{ type_name, state }] };
    },

    async ReadDataSource({ type_name, config: given }, connection) {
      const config = attributes(given) ?? {};
      const learnt = await provider.dataSource(type_name)(config, account(connection));
      const { block = {} } = schema.data_source_schemas[type_name] ?? {};
      return { state: dynamic(block, { ...config, ...learnt }) };
    },

    /** Terraform was interrupted: stop waiting for the cloud. */
    Stop(_, connection) {
      configured.get(connection)?.stopping.abort();
      return {};
    },
  };
}

/** The error as a response, for the calls whose responses have diagnostics. */
export function failure(error: unknown): object {
  const summary = error instanceof Error ? error.message : String(error);
  return { diagnostics: [{ severity: "ERROR", summary }] };
}

/** Required attributes that are null. Terraform itself accepts expressions that are. */
function missing({ attributes: own = {} }: BlockSchema, config: Attributes): object[] {
  return Object.keys(own)
    .filter((name) => own[name]?.required && (config[name] ?? null) === null)
    .map((name) => ({
      severity: "ERROR",
      summary: "Missing required argument",
      detail: `The argument "${name}" is required, but no definition was found.`,
      attribute: attributePath(name),
    }));
}

/** Values that the provider refuses. */
function faults(checks: Checks = {}, config: Attributes): object[] {
  return faultsOf(checks, config).map((summary) => ({ severity: "ERROR", summary }));
}

function attributePath(name: string): object {
  return { steps: [{ attribute_name: name }] };
}

function protocolSchemas(schemas: Readonly<Record<string, Schema>>): object {
  const converted = Object.entries(schemas).map(([name, one]) => [name, protocolSchema(one)]);
  return Object.fromEntries(converted);
}

function attributes(value: DynamicValue | null): Attributes | null {
  const read = value === null ? null : fromMsgpack(value.msgpack);
  return isAttributes(read) ? read : null;
}

/** In a state file, a value of a dynamic type is recorded with its type. */
function withoutRecordedType(recorded: unknown): unknown {
  return Object(recorded).value ?? null;
}

function dynamicIn({ attributes: own = {} }: BlockSchema): string[] {
  return Object.keys(own).filter((name) => own[name]?.type === "dynamic");
}

function dynamic(block: BlockSchema, value: Attributes | null): object {
  return { msgpack: toMsgpack(value === null ? null : conform(block, value), dynamicIn(block)) };
}
