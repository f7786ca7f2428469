import { apply, refresh } from "../provider/apply.js";
import { plan } from "../provider/plan.js";
import { toAttributePath, toDiagnostic, toProblem } from "../provider/problem.js";
import type { Provider } from "../provider/provider.js";
import { conform } from "../schema/conform.js";
import { toProtocol } from "../schema/protocol-schema.js";
import type { BlockSchema, Schema } from "../schema/schema.js";
import { fromMsgpack, toMsgpack } from "../values/msgpack.js";
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
export function answersOf<Account>(provider: Provider<Account>): Record<string, Answer> {
  /** What each provider block was configured with, by its connection. */
  const configured = new Map<string, { account: Account; stopping: AbortController }>();

  const account = (connection: string): Account => {
    const found = configured.get(connection);
    if (found === undefined) throw new Error("the provider has not been configured");
    return found.account;
  };
  const resourceSchema = ({ type_name }: Request) =>
    known(provider.schema.resource_schemas, "resource type", type_name);

  return {
    GetSchema: () => toProtocol(provider.schema),
    PrepareProviderConfig: ({ config }) => ({ prepared_config: config }),
    // What the real providers check beyond this, the local Azure refuses too.
    ValidateResourceTypeConfig: (request) => ({
      diagnostics: missing(resourceSchema(request), attributes(request.config) ?? {}),
    }),
    ValidateDataSourceConfig: () => ({}),

    UpgradeResourceState(request) {
      const recorded: unknown = JSON.parse(Buffer.from(request.raw_state?.json ?? []).toString());
      const schema = resourceSchema(request);
      const state = withoutRecordedTypes(schema, recorded as Attributes);
      return { upgraded_state: dynamic(schema, state) };
    },

    async Configure({ config }, connection) {
      const stopping = new AbortController();
      const { account, notices } = await provider.configure(
        attributes(config) ?? {},
        stopping.signal,
      );
      configured.set(connection, { account, stopping });
      return { diagnostics: notices.map(toDiagnostic) };
    },

    async ReadResource(request, connection) {
      const state = attributes(request.current_state);
      const type = provider.resource(request.type_name);
      const now = state === null ? null : await refresh(type, state, account(connection));
      return { new_state: dynamic(resourceSchema(request), now), private: request.private };
    },

    async PlanResourceChange(request, connection) {
      const schema = resourceSchema(request);
      const proposed = attributes(request.proposed_new_state);
      const rest = { planned_private: request.prior_private, legacy_type_system: true };
      if (proposed === null) return { ...rest, planned_state: dynamic(schema, null) };
      const type = provider.resource(request.type_name);
      const prior = attributes(request.prior_state);
      const config = attributes(request.config) ?? {};
      const { planned, replace } = type.planned
        ? await type.planned(prior, config, account(connection))
        : plan(schema, type, prior, proposed);
      return {
        ...rest,
        planned_state: dynamic(schema, planned),
        requires_replace: replace.map((name) => toAttributePath([name])),
      };
    },

    async ApplyResourceChange(request, connection) {
      const { state, problems } = await apply(
        provider.resource(request.type_name),
        attributes(request.prior_state),
        attributes(request.planned_state),
        account(connection),
      );
      return {
        new_state: dynamic(resourceSchema(request), state),
        private: request.planned_private,
        diagnostics: problems.map(toDiagnostic),
        legacy_type_system: true,
      };
    },

    /** An import only returns the ID; Terraform reads the rest right afterwards. */
    ImportResourceState(request) {
      const { type_name, id } = request;
      const state = dynamic(resourceSchema(request), { id });
      return { imported_resources: [{ type_name, state }] };
    },

    async ReadDataSource({ type_name, config: given }, connection) {
      const schema = known(provider.schema.data_source_schemas, "data source", type_name);
      const config = attributes(given) ?? {};
      const learnt = await provider.dataSource(type_name).read(config, account(connection));
      return { state: dynamic(schema, { ...config, ...learnt }) };
    },

    /** Terraform was interrupted: stop waiting for the cloud. */
    Stop(_, connection) {
      configured.get(connection)?.stopping.abort();
      return {};
    },
  };
}

/** Required attributes that are null. Terraform itself accepts expressions that are. */
function missing({ attributes: own = {} }: BlockSchema, config: Attributes): object[] {
  return Object.keys(own)
    .filter((name) => own[name]?.required && (config[name] ?? null) === null)
    .map((name) =>
      toDiagnostic({
        summary: "Missing required argument",
        detail: `The argument "${name}" is required, but no definition was found.`,
        path: [name],
      }),
    );
}

/** The error as a response, for the calls whose responses have diagnostics. */
export function failure(error: unknown): object {
  return { diagnostics: [toDiagnostic(toProblem(error))] };
}

function known(schemas: Readonly<Record<string, Schema>>, what: string, type: string): BlockSchema {
  const schema = schemas[type];
  if (schema === undefined) throw new Error(`this stand-in has no ${what} "${type}"`);
  return schema.block;
}

function attributes(value: DynamicValue | null): Attributes | null {
  const read = value === null ? null : fromMsgpack(value.msgpack);
  return isAttributes(read) ? read : null;
}

/** In a state file, a value of a dynamic type is recorded with its type. */
function withoutRecordedTypes({ attributes: own = {} }: BlockSchema, state: Attributes) {
  const values = Object.entries(state).map(([name, value]) => [
    name,
    own[name]?.type === "dynamic" && isAttributes(value) ? (value.value ?? null) : value,
  ]);
  return Object.fromEntries(values) as Attributes;
}

function dynamic(schema: BlockSchema, value: Attributes | null): object {
  const dynamicAttributes = Object.entries(schema.attributes ?? {})
    .filter(([, { type }]) => type === "dynamic")
    .map(([name]) => name);
  return { msgpack: toMsgpack(value === null ? null : conform(schema, value), dynamicAttributes) };
}
