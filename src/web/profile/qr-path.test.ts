import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "qrcode";
import { qrPath } from "./qr-path.ts";

test("every run of dark modules is one stroke, and rows do not run into each other", () => {
  assert.equal(
    qrPath({ size: 3, data: [1, 1, 0, 0, 0, 1, 1, 0, 1] }),
    "M0 0h2v1h-2zM2 1h1v1h-1zM0 2h1v1h-1zM2 2h1v1h-1z",
  );
  assert.equal(qrPath({ size: 2, data: [0, 0, 0, 0] }), "");
});

test("the path covers as many units as the code has dark modules", () => {
  const { modules } = create("otpauth://totp/Signalbox:ada@example.com?secret=ABC", {
    errorCorrectionLevel: "M",
  });
  const drawn = [...qrPath(modules).matchAll(/h(\d+)v/g)].reduce((sum, [, run]) => sum + Number(run), 0);
  assert.equal(drawn, [...modules.data].filter(Boolean).length);
});
