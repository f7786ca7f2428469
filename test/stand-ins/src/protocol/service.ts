import { apply, refresh } from "../provider/apply.js";
import { missing } from "../provider/checks.js";
import { plan } from "../provider/plan.js";
import { toAttributePath, toDiagnostic, toProblem } from "../provider/problem.js";
import type { Provider } from "../provider/provider.js";
import { conform } from "../schema/conform.js";
import { toProtocol } from "../schema/protocol-schema.js";
import type { BlockSchema, Schema } from "../schema/schema.js";
import { fromMsgpack, toMsgpack } from "../values/msgpack.js";
import { type Attributes, isAttributes } from "../values/value.js";
import type {
  ApplyRequest,
  ConfigRequest,
  DynamicValue,
  ImportRequest,
  PlanRequest,
  ReadRequest,
  TypeConfigRequest,
  UpgradeRequest,
} from "./messages.js";

/** More provider blocks than all running Terraform processes have together. */
const MOST_CONNECTIONS = 256;

/**
 * Answers the calls of the plugin protocol for one provider. Each `connection` belongs to one
 * provider block (the default or an alias), and has the account that the block was configured with.
 */
export class ProviderService<Account> {
  readonly #provider: Provider<Account>;
  readonly #configured = new Map<string, { account: Account; stopping: AbortController }>();

  constructor(provider: Provider<Account>) {
    this.#provider = provider;
  }

  getSchema(): object {
    return toProtocol(this.#provider.schema);
  }

  prepareProviderConfig({ config }: ConfigRequest): object {
    const problems = this.#provider.check?.(attributes(config) ?? {}) ?? [];
    return { prepared_config: config, diagnostics: problems.map(toDiagnostic) };
  }

  validateResource({ type_name, config }: TypeConfigRequest): object {
    const schema = this.#resourceSchema(type_name);
    const check = this.#provider.resource(type_name).check;
    const values = attributes(config) ?? {};
    const problems = [...missing(schema, values), ...(check?.(values) ?? [])];
    return { diagnostics: problems.map(toDiagnostic) };
  }

  validateDataSource({ type_name, config }: TypeConfigRequest): object {
    this.#dataSourceSchema(type_name);
    const check = this.#provider.dataSource(type_name).check;
    return { diagnostics: (check?.(attributes(config) ?? {}) ?? []).map(toDiagnostic) };
  }

  upgradeState({ type_name, raw_state }: UpgradeRequest): object {
    const recorded: unknown = JSON.parse(Buffer.from(raw_state?.json ?? []).toString("utf8"));
    const schema = this.#resourceSchema(type_name);
    const state = withoutRecordedTypes(schema, recorded as Attributes);
    return { upgraded_state: dynamic(schema, state) };
  }

  async configure({ config }: ConfigRequest, connection: string): Promise<object> {
    const stopping = new AbortController();
    const { account, notices } = await this.#provider.configure(
      attributes(config) ?? {},
      stopping.signal,
    );
    this.#configured.set(connection, { account, stopping });
    this.#forgetOldest();
    return { diagnostics: notices.map(toDiagnostic) };
  }

  async read(request: ReadRequest, connection: string): Promise<object> {
    const schema = this.#resourceSchema(request.type_name);
    const state = attributes(request.current_state);
    const type = this.#provider.resource(request.type_name);
    const now = state === null ? null : await refresh(type, state, this.#account(connection));
    return { new_state: dynamic(schema, now), private: request.private };
  }

  async plan(request: PlanRequest, connection: string): Promise<object> {
    const schema = this.#resourceSchema(request.type_name);
    const proposed = attributes(request.proposed_new_state);
    const rest = { planned_private: request.prior_private, legacy_type_system: true };
    if (proposed === null) return { ...rest, planned_state: dynamic(schema, null) };
    const type = this.#provider.resource(request.type_name);
    const prior = attributes(request.prior_state);
    const config = attributes(request.config) ?? {};
    const { planned, replace } = type.planned
      ? await type.planned(prior, config, this.#account(connection))
      : plan(schema, type, prior, proposed);
    return {
      ...rest,
      planned_state: dynamic(schema, planned),
      requires_replace: replace.map((name) => toAttributePath([name])),
    };
  }

  async apply(request: ApplyRequest, connection: string): Promise<object> {
    const schema = this.#resourceSchema(request.type_name);
    const { state, problems } = await apply(
      this.#provider.resource(request.type_name),
      attributes(request.prior_state),
      attributes(request.planned_state),
      this.#account(connection),
    );
    return {
      new_state: dynamic(schema, state),
      private: request.planned_private,
      diagnostics: problems.map(toDiagnostic),
      legacy_type_system: true,
    };
  }

  /** An import only returns the ID; Terraform reads the rest right afterwards. */
  import({ type_name, id }: ImportRequest): object {
    const state = dynamic(this.#resourceSchema(type_name), { id });
    return { imported_resources: [{ type_name, state }] };
  }

  async readDataSource(request: TypeConfigRequest, connection: string): Promise<object> {
    const schema = this.#dataSourceSchema(request.type_name);
    const config = attributes(request.config) ?? {};
    const source = this.#provider.dataSource(request.type_name);
    const learnt = await source.read(config, this.#account(connection));
    return { state: dynamic(schema, { ...config, ...learnt }) };
  }

  /** Terraform was interrupted: stop waiting for the cloud. */
  stop(connection: string): object {
    this.#configured.get(connection)?.stopping.abort();
    return {};
  }

  /** gRPC does not report the end of a connection, so the number of remembered ones is limited. */
  #forgetOldest(): void {
    const [oldest] = this.#configured.keys();
    if (oldest !== undefined && this.#configured.size > MOST_CONNECTIONS) {
      this.#configured.delete(oldest);
    }
  }

  #account(connection: string): Account {
    const configured = this.#configured.get(connection);
    if (configured === undefined) throw new Error("the provider has not been configured");
    return configured.account;
  }

  #resourceSchema(type: string): BlockSchema {
    return known(this.#provider.schema.resource_schemas, "resource type", type);
  }

  #dataSourceSchema(type: string): BlockSchema {
    return known(this.#provider.schema.data_source_schemas, "data source", type);
  }
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
