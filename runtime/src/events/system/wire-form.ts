/**
 * A payload's type as the JSON on the wire has it: that of the SDK, which describes what its own
 * deserializer makes of the JSON, with the fields that differ.
 */
export type WireForm<SdkData, Changes = unknown> = {
  [Field in keyof Omit<SdkData, keyof Changes>]: SdkData[Field & keyof SdkData];
} & Changes;
