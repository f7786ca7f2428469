/**
 * The type of a payload as JSON on the wire: the type of the SDK, which describes the result of its
 * deserializer, with the fields that differ.
 */
export type WireForm<SdkData, Changes = unknown> = {
  [Field in keyof Omit<SdkData, keyof Changes>]: SdkData[Field & keyof SdkData];
} & Changes;
