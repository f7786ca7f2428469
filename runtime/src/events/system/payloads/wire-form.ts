import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";

/**
 * The type of a payload as JSON on the wire: the type of the SDK, which describes the result of its
 * deserializer, with the fields that differ.
 */
export type WireForm<SdkData, Changes = unknown> = {
  [Field in keyof Omit<SdkData, keyof Changes>]: SdkData[Field & keyof SdkData];
} & Changes;

/**
 * The type of a payload of which the SDK's types rename fields. Its deserializer leaves the data of an
 * event as it is, so that the SDK's names exist only in its types.
 *
 * @see the `serializedName`s in the SDK's `generated/models/mappers`
 */
export type Renamed<SdkData, WireNames extends { readonly [Field in keyof SdkData]?: string }> = {
  [Field in keyof SdkData as Field extends keyof WireNames
    ? WireNames[Field] & string
    : Field]: SdkData[Field];
};

/** Events whose payloads differ from the SDK's types in the fields of a table, by event type. */
export type ChangedEvents<Changes> = {
  [Name in keyof Changes]: WireForm<Sdk[Name & keyof Sdk], Changes[Name]>;
};

/** Events whose payloads differ from the SDK's types in the names of a table, by event type. */
export type RenamedEvents<
  WireNames extends { readonly [Name in keyof WireNames]: Readonly<Record<string, string>> },
> = {
  [Name in keyof WireNames]: Renamed<Sdk[Name & keyof Sdk], WireNames[Name]>;
};
