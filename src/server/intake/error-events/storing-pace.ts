/** Smaller batches take about the same time whatever they contain. */
const LARGE = 40;

/** The weight of a batch after the next one. */
const KEPT = 0.8;

/** Milliseconds per event until batches were measured. */
const AT_FIRST = 0.5;

/** How long storing an event takes under load, measured at the last large batches. */
export class StoringPace {
  #events = 0;
  #seconds = 0;

  /** Call after each batch that was stored. One that failed says nothing about the next. */
  measure(events: number, seconds: number): void {
    if (events < LARGE) return;
    this.#events = this.#events * KEPT + events;
    this.#seconds = this.#seconds * KEPT + seconds;
  }

  get msPerEvent(): number {
    return this.#events === 0 ? AT_FIRST : (this.#seconds * 1000) / this.#events;
  }
}
