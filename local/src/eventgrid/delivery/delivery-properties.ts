/** A header that Event Grid adds to every delivery of a subscription. */
export type DeliveryProperty =
  | {
      readonly type: "static";
      readonly name: string;
      readonly value: string;
      /** A secret one is not shown when the subscription is read. @default false */
      readonly secret?: boolean | undefined;
    }
  | {
      readonly type: "dynamic";
      readonly name: string;
      /** Where in the event the value is, for example `data.tenant`. */
      readonly sourceField: string;
    };
