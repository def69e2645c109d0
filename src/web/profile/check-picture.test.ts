import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PICTURE_BYTES } from "../../shared/people.ts";
import { checkPicture } from "./check-picture.ts";

const file = { name: "me.png", type: "image/png" };

test("an image may be as large as the server's limit, but not a byte larger", () => {
  assert.equal(checkPicture({ ...file, size: MAX_PICTURE_BYTES }), undefined);
  assert.equal(checkPicture({ ...file, size: MAX_PICTURE_BYTES + 1 }), "me.png is larger than 10 MB.");
});

test("a file that is not an image is rejected", () => {
  assert.equal(checkPicture({ name: "cv.pdf", type: "application/pdf", size: 1 }), "cv.pdf is not an image.");
  assert.equal(checkPicture({ name: "x", type: "", size: 1 }), "x is not an image.");
});
