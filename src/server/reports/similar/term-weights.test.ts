import assert from "node:assert/strict";
import { test } from "node:test";
import { rarestTerms, similarity, TermWeights } from "./term-weights.ts";

const NO_STATISTICS = new TermWeights(new Map());
const limits = { itemCount: 1_000, maxTerms: 3, maxItems: 100 };

const similarityOf = (wanted: number[], terms: number[], weights = NO_STATISTICS) =>
  similarity(new Map(weights.weigh(wanted).map(({ term, weight }) => [term, weight])), terms, weights);

test("items with the same terms have a similarity of 1, and those without a common term 0", () => {
  assert.equal(similarityOf([1, 2, -3], [1, 2, -3]), 1);
  assert.equal(similarityOf([1, -3], [2, -4]), 0);
  assert.equal(similarityOf([], [2]), 0);
});

test("titles or all words count, whichever are more similar", () => {
  assert.equal(similarityOf([1, 2, -3, -4], [1, 2, -5, -6]), 1);
  assert.equal(similarityOf([1, 2, -3, -4], [5, 6, -3, -4]), 1);
});

test("a rare common term makes items more similar than a frequent one", () => {
  const weights = new TermWeights(
    new Map([
      [1, 0.5],
      [2, 0.01],
    ]),
  );
  assert.ok(similarityOf([1, 2], [2, 3], weights) > similarityOf([1, 2], [1, 3], weights));
});

test("a term that the statistics do not contain is rarer than all that they do contain", () => {
  const weights = new TermWeights(new Map([[1, 0.01]]));
  assert.ok(weights.weightOf(2) > weights.weightOf(1));
});

test("the rarest terms are those that have few items together, at most as many as allowed", () => {
  const term = (number: number, part: number) => ({ term: number, weight: 1, part });
  const few = [term(1, 0.06), term(2, 0.03), term(3, 0.9)];
  assert.deepEqual(
    rarestTerms(few, limits).map(({ term }) => term),
    [2, 1],
  );
  const many = [1, 2, 3, 4].map((number) => term(number, 0));
  assert.deepEqual(
    rarestTerms(many, limits).map(({ term }) => term),
    [1, 2, 3],
  );
});

test("one term is used even if it is in many items", () => {
  assert.equal(rarestTerms([{ term: 1, weight: 1, part: 0.9 }], limits).length, 1);
});
