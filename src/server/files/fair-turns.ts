import { overloaded } from "../answers/errors.ts";
import type { Uploader } from "./uploader.ts";

const MAX_WAITING = 200;
/** Seconds for Retry-After. An immediate retry of a large file would only make the queue longer. */
const RETRY_AFTER = 10;

type Waiting = { start: () => void };

/**
 * Runs one task at a time. Projects take turns, and so do the credentials of a project, so that a client that sends many files
 * delays other clients by at most one file each.
 */
export class FairTurns {
  readonly #maxWaitMs: number;
  readonly #waiting = new Map<string, Map<string, Waiting[]>>();
  #count = 0;
  #isBusy = false;

  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs the work in its turn. 503 if it would have to wait for more than `maxWaitMs`, or if 200 others are already waiting. If
   * the client disconnects first, the work is dropped.
   */
  async run<T>(uploader: Uploader, work: () => Promise<T>): Promise<T> {
    await this.#wait(uploader);
    try {
      return await work();
    } finally {
      this.#isBusy = false;
      this.#next()?.start();
    }
  }

  async #wait(uploader: Uploader): Promise<void> {
    const { signal } = uploader;
    signal.throwIfAborted();
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    if (this.#count >= MAX_WAITING) throw overloaded(RETRY_AFTER);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      start: () => {
        this.#isBusy = true;
        resolve();
      },
    };
    const giveUp = (error: Error) => {
      this.#remove(uploader, waiting);
      reject(error);
    };
    const onAbort = () => giveUp(signal.reason as Error);
    const timer = setTimeout(() => giveUp(overloaded(RETRY_AFTER)), this.#maxWaitMs);
    signal.addEventListener("abort", onAbort);
    this.#add(uploader, waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #add({ project, credential }: Uploader, waiting: Waiting) {
    const credentials = this.#waiting.get(project) ?? new Map<string, Waiting[]>();
    this.#waiting.set(project, credentials);
    credentials.set(credential, [...(credentials.get(credential) ?? []), waiting]);
    this.#count++;
  }

  #remove({ project, credential }: Uploader, waiting: Waiting) {
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

  /** Removes and returns the first task of the project, and in it of the credential, whose last turn was longest ago. */
  #next(): Waiting | undefined {
    for (const [project, credentials] of this.#waiting)
      for (const [credential, [first, ...rest]] of credentials) {
        if (!first) continue;
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
