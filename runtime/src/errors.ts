/**
 * The root of every error this package throws on purpose.
 *
 * `code` is stable across releases and meant for programs; `message` is meant for people and may
 * improve. Where another failure led to this one it is the `cause`.
 */
export abstract class CloudEventGridError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
