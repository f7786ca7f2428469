/**
 * The base of every error that this package throws on purpose.
 *
 * `code` is stable across releases and meant for programs; `message` is meant for people and may
 * change. If another error led to this one, it is the `cause`.
 */
export abstract class CloudEventGridError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
