import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { provideLocalStorage } from "../../../test/support/local-storage.ts";
import { forgetItem, forgetItems, recentItems, rememberItem } from "./recent-items.ts";

let entries = new Map<string, string>();
beforeEach(() => {
  entries = provideLocalStorage();
});

const refs = (person: number) => recentItems(person).map(({ ref }) => ref);

test("the latest items come first, each once, and only a few are kept", () => {
  for (const number of [1, 2, 3, 1, 4, 5, 6, 7]) rememberItem(1, `/projects/WEB/issues/WEB-${number}`);
  assert.deepEqual(refs(1), ["WEB-7", "WEB-6", "WEB-5", "WEB-4", "WEB-1", "WEB-3"]);
});

test("only pages of items are remembered, separately for each person", () => {
  for (const path of ["/", "/projects/WEB/issues", "/projects/WEB/errors/5", "/projects/WEB/sprints/3/plan"])
    rememberItem(1, path);
  rememberItem(2, "/projects/WEB/epics/8");
  assert.deepEqual(recentItems(1), [
    { path: "/projects/WEB/errors/5", projectKey: "WEB", page: "errors", ref: "5" },
  ]);
  assert.deepEqual(refs(2), ["8"]);
});

test("items are forgotten one by one, or all when the person signs out", () => {
  rememberItem(1, "/projects/WEB/errors/5");
  rememberItem(1, "/projects/WEB/errors/6");
  rememberItem(2, "/projects/WEB/epics/8");
  forgetItem(1, "/projects/WEB/errors/6");
  assert.deepEqual(refs(1), ["5"]);
  forgetItems(1);
  assert.deepEqual([...entries.keys()], ["recent:2"]);
});
