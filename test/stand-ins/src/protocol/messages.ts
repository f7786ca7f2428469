/** The requests of the plugin protocol, reduced to the fields that the stand-ins read. */

export interface DynamicValue {
  readonly msgpack: Uint8Array;
  readonly json: Uint8Array;
}

export interface ConfigRequest {
  readonly config: DynamicValue | null;
}

export interface TypeConfigRequest extends ConfigRequest {
  readonly type_name: string;
}

export interface UpgradeRequest {
  readonly type_name: string;
  readonly raw_state: { readonly json: Uint8Array } | null;
}

export interface ReadRequest {
  readonly type_name: string;
  readonly current_state: DynamicValue | null;
  readonly private: Uint8Array;
}

export interface PlanRequest {
  readonly type_name: string;
  readonly prior_state: DynamicValue | null;
  readonly proposed_new_state: DynamicValue | null;
  readonly config: DynamicValue | null;
  readonly prior_private: Uint8Array;
}

export interface ApplyRequest {
  readonly type_name: string;
  readonly prior_state: DynamicValue | null;
  readonly planned_state: DynamicValue | null;
  readonly planned_private: Uint8Array;
}

export interface ImportRequest {
  readonly type_name: string;
  readonly id: string;
}
