const WINDOW_MS = 60_000;

/** The most addresses per window. A further one starts the next window early. */
const MAX_ADDRESSES = 50_000;

/** Counts what each address sent with an ingest key, within this window of a minute and the one before. */
export class BusyAddresses {
  #current = new Map<string, number>();
  #before = new Map<string, number>();
  #until = -Infinity;

  /** Counts an event, allowed or not, and returns how many the address sent before it. */
  add(keyId: number, address: string, now = performance.now()): number {
    if (now >= this.#until || this.#current.size >= MAX_ADDRESSES) this.#startWindow(now);
    const name = `${keyId} ${address}`;
    const count = this.#current.get(name) ?? 0;
    this.#current.set(name, count + 1);
    return count + (this.#before.get(name) ?? 0);
  }

  #startWindow(now: number) {
    this.#before = now < this.#until + WINDOW_MS ? this.#current : new Map<string, number>();
    this.#current = new Map();
    this.#until = now + WINDOW_MS;
  }
}
