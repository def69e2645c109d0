/** How often each value occurs in each group of a batch, as three parallel columns. */
export class Counts {
  readonly groups: number[] = [];
  readonly values: string[] = [];
  readonly counts: number[] = [];
  readonly #indexes = new Map<string, number>();

  add(n: number, value: string | null) {
    if (value === null) return;
    const key = `${n} ${value}`;
    const index = this.#indexes.get(key);
    if (index !== undefined) {
      this.counts[index] = (this.counts[index] ?? 0) + 1;
      return;
    }
    this.#indexes.set(key, this.values.length);
    this.groups.push(n);
    this.values.push(value);
    this.counts.push(1);
  }
}
