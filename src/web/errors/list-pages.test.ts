import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupList, ErrorGroupListItem } from "../../shared/error-groups.ts";
import { countsIn, isEmptyList, mayLoadMore, needsOwnQuery } from "./list-pages.ts";

const pagesOf = (statuses: number[], next: string | null) => ({
  pages: [
    {
      data: statuses.map(
        (status, index) => ({ id: index, status, regressed_at: null }) as ErrorGroupListItem,
      ),
      meta: { next_cursor: next },
    } as ErrorGroupList,
  ],
  pageParams: [null],
});

test("while one page has all groups, it serves every tab", () => {
  assert.equal(needsOwnQuery("resolved", pagesOf([0, 1], null)), false);
});

test("if there are further pages, a tab runs its own query", () => {
  assert.equal(needsOwnQuery("resolved", pagesOf([0, 1], "next")), true);
});

test("the tab of all groups shows the query of all groups, however many pages it has", () => {
  assert.equal(needsOwnQuery("all", pagesOf([0, 1], "next")), false);
});

test("nothing else is requested until the first page has arrived", () => {
  assert.equal(needsOwnQuery("resolved", undefined), false);
});

test("a complete list counts every tab", () => {
  const counts = { open: 2, regressed: 0, resolved: 1, ignored: 0, all: 3 };
  assert.deepEqual(countsIn(pagesOf([0, 0, 1], null), "all"), counts);
});

test("a complete list of one tab counts that tab and its parts", () => {
  assert.deepEqual(countsIn(pagesOf([0, 0], null), "open"), { open: 2, regressed: 0 });
});

test("a list with further pages counts nothing", () => {
  assert.deepEqual(countsIn(pagesOf([0, 0], "next"), "all"), {});
});

test("a list that is loading counts nothing and is not empty", () => {
  assert.deepEqual(countsIn(undefined, "all"), {});
  assert.equal(isEmptyList(undefined), false);
});

test("a list is empty if its first page has no group", () => {
  assert.equal(isEmptyList(pagesOf([], null)), true);
  assert.equal(isEmptyList(pagesOf([2], null)), false);
});

const idle = { hasNextPage: true, isFetching: false, isFetchNextPageError: false };

test("the end of the rows loads the next page", () => {
  assert.equal(mayLoadMore(idle), true);
});

test("after the last page nothing is loaded", () => {
  assert.equal(mayLoadMore({ ...idle, hasNextPage: false }), false);
});

test("the next page does not cancel a refetch", () => {
  assert.equal(mayLoadMore({ ...idle, isFetching: true }), false);
});

test("a page that failed is not requested again by scrolling", () => {
  assert.equal(mayLoadMore({ ...idle, isFetchNextPageError: true }), false);
});
