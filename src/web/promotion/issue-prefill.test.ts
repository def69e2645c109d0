import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { MAX_DESCRIPTION_LENGTH, prefillFrom } from "./issue-prefill.ts";

const report = (title: string, description: string) => ({ title, description }) as Report;

test("one report prefills its title and description unchanged", () => {
  assert.deepEqual(prefillFrom([report("Cart", "Empty\n\nagain")]), {
    title: "Cart",
    description: "Empty\n\nagain",
  });
});

test("several reports prefill a list with indented descriptions", () => {
  const { title, description } = prefillFrom([
    report("Cart", "Empty\n\n- twice"),
    report("A *star*", "Wrong"),
  ]);
  assert.equal(title, "Cart");
  assert.equal(
    description,
    ["- **Cart**", "", "  Empty", "", "  - twice", "", String.raw`- **A \*star\***`, "", "  Wrong"].join(
      "\n",
    ),
  );
});

test("a description that is too long is cut between code points", () => {
  const { description } = prefillFrom([report("A", "😀".repeat(40_000)), report("B", "😀".repeat(40_000))]);
  assert.equal(Array.from(description).length, MAX_DESCRIPTION_LENGTH);
  assert.ok(description.isWellFormed());
});
