import assert from "node:assert/strict";
import { test } from "node:test";
import type { Home } from "../../shared/home.ts";
import { wordsOf } from "./change-words.ts";

const words = (changed: string[], new_comments = 0) =>
  wordsOf({ changed, new_comments, lane_name: "Done" } as Home["changes"][number]);

test("a change names the lane, the fields and the number of comments", () => {
  assert.equal(words(["lane_id"]), "moved it to Done");
  assert.equal(
    words(["lane_id", "priority", "title"], 2),
    "moved it to Done, changed the priority and title, and wrote 2 comments",
  );
  assert.equal(words([], 1), "wrote 1 comment");
  assert.equal(words(["blocked_by_ids", "blocks_ids"]), "changed the relations");
  assert.equal(words(["epic_id", "label_ids", "title", "type"]), "changed the epic, labels and 2 more");
});

test("for a new issue, only its creation and comments are named", () => {
  assert.equal(words(["created", "lane_id", "title"], 1), "created it and wrote 1 comment");
});
