/** Where the events of a service come from, and what they are about. */
export interface Service {
  /** Beginning of its event types. */
  readonly prefix: string;
  /** Type of the resource that raises them; missing if it is a subscription or a resource group. */
  readonly resourceType?: string;
  /** Subjects by the end of the event type; the first that matches counts. */
  readonly subjects: readonly (readonly [end: RegExp, subject: string])[];
  /** Values of fields of its payloads, which other services give a different meaning. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Values that only types with this end have. `undefined` leaves a field out. */
  readonly variants?: readonly (readonly [
    end: RegExp,
    values: Readonly<Record<string, unknown>>,
  ])[];
  /** Fields that the SDK lacks. */
  readonly more?: Readonly<Record<string, unknown>>;
}
