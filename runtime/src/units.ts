/** Units of time, in milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Azure states in minutes how long events live. */
export const MINUTES_OF_DAY = DAY_MS / MINUTE_MS;

/** Units of size, in bytes. */
export const KIB = 1024;
export const MIB = 1024 * KIB;
