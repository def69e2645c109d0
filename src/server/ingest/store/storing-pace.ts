/** Smaller batches are not measured: their time hardly depends on the number of events. */
const LARGE = 40;

/** The factor by which the weight of a batch decreases with each later one. */
const KEPT = 0.8;

/** Milliseconds per event until the first measurement. */
const AT_FIRST = 0.5;

/** How long storing an event takes under load: a moving average over large batches. */
export class StoringPace {
  #events = 0;
  #seconds = 0;

  /** Call after each batch that was stored, but not after one that failed. */
  measure(events: number, seconds: number): void {
    if (events < LARGE) return;
    this.#events = this.#events * KEPT + events;
    this.#seconds = this.#seconds * KEPT + seconds;
  }

  get msPerEvent(): number {
    return this.#events === 0 ? AT_FIRST : (this.#seconds * 1000) / this.#events;
  }
}
