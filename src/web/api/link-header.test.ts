import assert from "node:assert/strict";
import { test } from "node:test";
import { nextLink } from "./link-header.ts";

test("the link with rel=next is found among others and in any notation", () => {
  assert.equal(
    nextLink('</api/notifications?limit=2&cursor=a>; rel="next"'),
    "/api/notifications?limit=2&cursor=a",
  );
  assert.equal(nextLink('</a?x=1,2>; rel="prev", </b>; title="x"; rel=next'), "/b");
  assert.equal(nextLink('</a>; rel="last next"'), "/a");
});

test("without a rel=next link there is no next page", () => {
  assert.equal(nextLink(null), undefined);
  assert.equal(nextLink(""), undefined);
  assert.equal(nextLink('</a>; rel="prev"'), undefined);
  assert.equal(nextLink('</a>; rel="next-archive"'), undefined);
});
