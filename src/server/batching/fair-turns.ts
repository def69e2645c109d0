import { overloaded } from "../answers/errors.ts";

/** Who takes a turn. It is not needed any more once `signal` is aborted. */
export type Taker = { project: string; credential: string; signal: AbortSignal };

type Options = {
  /** Milliseconds. */
  maxWaitMs: number;
  maxWaiting?: number;
  /** How many turns may be taken at once, and how many of them by one credential. */
  places?: number;
  placesPerCredential?: number;
  /** Seconds for Retry-After. */
  retryAfter?: number;
};

type Waiting = { start: () => void };

/**
 * Lets one taker after the other have a turn, or a few at once. Projects take turns, and so do the credentials of a project, so
 * a client with many requests delays other clients by at most one turn each.
 */
export class FairTurns {
  readonly #options: Required<Options>;
  readonly #waiting = new Map<string, Map<string, Waiting[]>>();
  #count = 0;
  /** The number of turns that each credential has now. */
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor(options: Options) {
    const { places = 1 } = options;
    this.#options = { maxWaiting: 200, places, placesPerCredential: places, retryAfter: 1, ...options };
    this.#free = places;
  }

  /** Runs the work in its turn, under the conditions of `take`. */
  async run<T>(taker: Taker, work: () => Promise<T>): Promise<T> {
    const end = await this.take(taker);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /**
   * Waits for a turn and returns the function that ends it, which must be called once. 503 if the turn would come later than in
   * `maxWaitMs`, or if `maxWaiting` others are already waiting. Throws the signal's reason if the client disconnects first.
   */
  async take(taker: Taker): Promise<() => void> {
    taker.signal.throwIfAborted();
    if (this.#mayStart(taker.credential)) this.#start(taker.credential);
    else await this.#wait(taker);
    return () => this.#end(taker.credential);
  }

  #mayStart(credential: string): boolean {
    return this.#free > 0 && (this.#taken.get(credential) ?? 0) < this.#options.placesPerCredential;
  }

  #start(credential: string): void {
    this.#free--;
    this.#taken.set(credential, (this.#taken.get(credential) ?? 0) + 1);
  }

  #end(credential: string): void {
    const left = (this.#taken.get(credential) ?? 1) - 1;
    if (left > 0) this.#taken.set(credential, left);
    else this.#taken.delete(credential);
    this.#free++;
    this.#next()?.start();
  }

  async #wait(taker: Taker): Promise<void> {
    const { maxWaitMs, maxWaiting, retryAfter } = this.#options;
    if (this.#count >= maxWaiting) throw overloaded(retryAfter);
    const { signal, credential } = taker;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      start: () => {
        this.#start(credential);
        resolve();
      },
    };
    const giveUp = (error: Error) => {
      this.#remove(taker, waiting);
      reject(error);
    };
    const onAbort = () => giveUp(signal.reason as Error);
    const timer = setTimeout(() => giveUp(overloaded(retryAfter)), maxWaitMs);
    signal.addEventListener("abort", onAbort);
    this.#add(taker, waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #add({ project, credential }: Taker, waiting: Waiting) {
    const credentials = this.#waiting.get(project) ?? new Map<string, Waiting[]>();
    this.#waiting.set(project, credentials);
    credentials.set(credential, [...(credentials.get(credential) ?? []), waiting]);
    this.#count++;
  }

  #remove({ project, credential }: Taker, waiting: Waiting) {
    const credentials = this.#waiting.get(project);
    const list = credentials?.get(credential);
    if (!credentials || !list?.includes(waiting)) return;
    this.#count--;
    if (list.length > 1)
      credentials.set(
        credential,
        list.filter((each) => each !== waiting),
      );
    else credentials.delete(credential);
    if (credentials.size === 0) this.#waiting.delete(project);
  }

  /**
   * Removes and returns the first taker of the project, and in it of the credential, whose last turn was longest ago. Skips
   * credentials that have as many turns as they may.
   */
  #next(): Waiting | undefined {
    for (const [project, credentials] of this.#waiting)
      for (const [credential, [first, ...rest]] of credentials) {
        if (!first || !this.#mayStart(credential)) continue;
        this.#count--;
        // Move both to the end of the order.
        this.#waiting.delete(project);
        credentials.delete(credential);
        if (rest.length > 0) credentials.set(credential, rest);
        if (credentials.size > 0) this.#waiting.set(project, credentials);
        return first;
      }
    return undefined;
  }
}
