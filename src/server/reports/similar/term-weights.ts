/** How a term counts in the comparison. */
export type WeightedTerm = {
  term: number;
  weight: number;
  /** The part of all items that have the term. 0 if the statistics know no terms. */
  part: number;
};

/** What PostgreSQL knows about the terms in a table. */
export type TermStatistics = {
  /** About how many items there are. */
  itemCount: number;
  /** The most common terms, each with the part of the items that have it. */
  common: ReadonlyMap<number, number>;
};

/** How much each term counts among the items of one kind: a rare term weighs more than a common one. */
export class TermWeights {
  readonly #common: ReadonlyMap<number, number>;
  /** Terms that are not among the common ones are rarer than all that are. */
  readonly #rarest: number | undefined;

  constructor(common: ReadonlyMap<number, number>) {
    this.#common = common;
    this.#rarest = common.size > 0 ? Math.min(...common.values()) / 2 : undefined;
  }

  /** The squared inverse frequency of a term, or 1 without statistics. */
  weightOf(term: number): number {
    const part = this.#common.get(term) ?? this.#rarest;
    return part === undefined ? 1 : Math.log(1 + 1 / part) ** 2;
  }

  weigh(terms: readonly number[]): WeightedTerm[] {
    return terms.map((term) => ({
      term,
      weight: this.weightOf(term),
      part: this.#common.get(term) ?? this.#rarest ?? 0,
    }));
  }
}

/**
 * The rarest terms, as many as have at most `maxItems` items together, and always one: by them the items are found that are compared.
 */
export function rarestTerms(
  terms: readonly WeightedTerm[],
  { itemCount, maxTerms, maxItems }: { itemCount: number; maxTerms: number; maxItems: number },
): WeightedTerm[] {
  const ordered = terms.toSorted((a, b) => a.part - b.part || a.term - b.term).slice(0, maxTerms);
  let items = 0;
  const end = ordered.findIndex(({ part }, n) => (items += itemCount * part) > maxItems && n > 0);
  return end === -1 ? ordered : ordered.slice(0, end);
}

/**
 * How similar two items are, from 0 to 1: the cosine of their titles, by trigrams and neighboring words, or that of all words if it is
 * higher. Terms of titles are positive, those of all words negative.
 */
export function similarity(
  wanted: ReadonlyMap<number, number>,
  terms: readonly number[],
  weights: TermWeights,
): number {
  const title = { shared: 0, own: 0, wanted: 0 };
  const words = { shared: 0, own: 0, wanted: 0 };
  for (const [term, weight] of wanted) (term > 0 ? title : words).wanted += weight;
  for (const term of terms) {
    const side = term > 0 ? title : words;
    side.own += weights.weightOf(term);
    side.shared += wanted.get(term) ?? 0;
  }
  return Math.max(cosine(title), cosine(words));
}

const cosine = ({ shared, own, wanted }: { shared: number; own: number; wanted: number }): number =>
  shared === 0 ? 0 : shared / Math.sqrt(own * wanted);
