import assert from "node:assert/strict";
import { test } from "node:test";
import * as attachments from "../../shared/attachments.ts";
import * as contract from "../../shared/reports.ts";
import { ATTACHMENT_BYTES, attachmentRefusal, imageRefusal, REPORT_IMAGES } from "./file-rules.ts";

test("the limits are the same as the server's", () => {
  assert.deepEqual(REPORT_IMAGES, contract.REPORT_FILES);
  assert.equal(ATTACHMENT_BYTES, attachments.MAX_ATTACHMENT_BYTES);
});

test("images up to the limit are accepted; other types, larger files and empty files are not", () => {
  assert.equal(imageRefusal({ name: "Shot.PNG", size: REPORT_IMAGES.bytes }), undefined);
  assert.match(imageRefusal({ name: "shot.png", size: REPORT_IMAGES.bytes + 1 }) ?? "", /The limit is 3 MB/);
  assert.match(imageRefusal({ name: "log.txt", size: 1 }) ?? "", /not an image/);
  assert.match(imageRefusal({ name: "png", size: 1 }) ?? "", /not an image/);
  assert.match(imageRefusal({ name: "shot.png", size: 0 }) ?? "", /empty/);
});

test("attachments can be of other types, up to 20 MB", () => {
  assert.equal(attachmentRefusal({ name: "log.txt", size: ATTACHMENT_BYTES }), undefined);
  assert.match(attachmentRefusal({ name: "run.exe", size: 1 }) ?? "", /cannot be attached/);
  assert.match(
    attachmentRefusal({ name: "log.txt", size: ATTACHMENT_BYTES + 1 }) ?? "",
    /The limit is 20 MB/,
  );
});
