import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { environmentsOf, filterChoices, releasesOf } from "./filter-choices.ts";

const group = (fields: Partial<ErrorGroupListItem>) =>
  ({ environment: null, release: null, last_release: null, ...fields }) as ErrorGroupListItem;

test("each environment is offered once", () => {
  const groups = [{ environment: "staging" }, { environment: "production" }, { environment: "staging" }];
  assert.deepEqual(environmentsOf(groups.map(group)), ["staging", "production"]);
});

test("a group without environment offers none", () => {
  assert.deepEqual(environmentsOf([group({})]), []);
});

test("the newest release is offered first", () => {
  const groups = [
    group({ release: "4.9.0", last_release: "4.10.0" }),
    group({ release: "4.10.0", last_release: "5.0.0" }),
  ];
  assert.deepEqual(releasesOf(groups), ["5.0.0", "4.10.0", "4.9.0"]);
});

test("the chosen value is offered even if no group has it", () => {
  assert.deepEqual(
    filterChoices(["1.0"], "0.9").map(({ value }) => value),
    ["1.0", "0.9"],
  );
});

test("the chosen value is offered once", () => {
  assert.equal(filterChoices(["1.0"], "1.0").length, 1);
});

test("an empty value is not offered", () => {
  assert.deepEqual(filterChoices([""], ""), []);
});

test("choices may have labels of their own", () => {
  const [choice] = filterChoices(["fatal"], undefined, (level) => level.toUpperCase());
  assert.deepEqual(choice, { value: "fatal", label: "FATAL" });
});
