import type { Clock } from "../clock.js";
import { CredentialError, type CredentialOptions } from "./credential-options.js";
import {
  type CredentialSource,
  credentialSource,
  type SdkCredential,
} from "./credential-source.js";
import type { PublishingBinding } from "./publishing-binding.js";

/** Something that was asked of code that is not ours. */
interface Question {
  readonly name: string;
  readonly since: number;
  isForgotten: boolean;
}

/** What the publisher authenticates with: asked for once, and anew when it was refused. */
export class TopicCredential {
  readonly #source: CredentialSource;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  #current: SdkCredential | undefined;
  #asking: Promise<SdkCredential> | undefined;
  /** What was asked for last, and has not answered. */
  #unanswered: Question | undefined;

  /** @param patienceMs what has not answered for so long is asked anew */
  constructor(
    binding: PublishingBinding,
    options: CredentialOptions,
    clock: Clock,
    patienceMs: number,
  ) {
    this.#source = credentialSource(binding, options, {
      now: () => clock.now(),
      asking: (name, ask) => this.#watch(name, ask),
    });
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** @throws {CredentialError} when it cannot be had */
  get(): SdkCredential | Promise<SdkCredential> {
    const question = this.#unanswered;
    if (question && this.#clock.now() - question.since >= this.#patienceMs) this.#forget(question);
    return this.#current ?? this.#renewed();
  }

  /**
   * Another one, after the topic refused this one; the same when there is no other.
   *
   * @throws {CredentialError} when it cannot be had
   */
  async renew(refused: SdkCredential): Promise<SdkCredential> {
    if (!this.#source.renewable) return refused;
    // Another request may have been refused before, and the answer been heard.
    if (this.#current !== undefined && this.#current !== refused) return this.#current;
    const fresh = await this.#renewed();
    return isSame(fresh, refused) ? refused : fresh;
  }

  /** What an attempt waited for in vain, if it is this; the next one asks anew. */
  overdue(): CredentialError | undefined {
    const question = this.#unanswered;
    if (question === undefined) return undefined;
    this.#forget(question);
    return new CredentialError(`${question.name} did not answer within ${this.#patienceMs} ms`);
  }

  #renewed(): SdkCredential | Promise<SdkCredential> {
    if (this.#asking !== undefined) return this.#asking;
    const answer = this.#source.ask();
    if (!(answer instanceof Promise)) {
      this.#current = answer;
      return answer;
    }
    const asking = answer
      .then((credential) => {
        // One that was forgotten may answer after its successor.
        if (this.#asking === asking || this.#current === undefined) this.#current = credential;
        return credential;
      })
      .finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
    this.#asking = asking;
    return asking;
  }

  /** Nobody may join the wait for what hangs. */
  #forget(question: Question): void {
    if (question.isForgotten) return;
    question.isForgotten = true;
    // The SDK's client has requests share the wait for a token: another credential, another client.
    if (this.#asking === undefined) this.#current = undefined;
    this.#asking = undefined;
  }

  async #watch<T>(name: string, ask: () => T | Promise<T>): Promise<T> {
    const question = { name, since: this.#clock.now(), isForgotten: false };
    this.#unanswered = question;
    try {
      return await ask();
    } finally {
      if (this.#unanswered === question) this.#unanswered = undefined;
    }
  }
}

function isSame(one: SdkCredential, other: SdkCredential): boolean {
  if ("key" in one && "key" in other) return one.key === other.key;
  if ("signature" in one && "signature" in other) return one.signature === other.signature;
  return false;
}
