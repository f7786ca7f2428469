/** Every field that any member of a union has; `keyof` alone gives those that all of them have. */
export type FieldOf<T> = T extends unknown ? keyof T : never;
