import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { UnmappedReason } from "../../../shared/source-maps.ts";
import { lacksSourceMaps, reasonText, summarizeMapping } from "./mapping-summary.ts";

const FILE = "https://shop.example/assets/app.js";

const unmapped = (reason: UnmappedReason, filename = FILE): KeptFrame => ({
  filename,
  line: 1,
  column: 20,
  unmapped: { reason, message: `It is ${reason}.` },
});

const mapped: KeptFrame = {
  filename: FILE,
  line: 1,
  column: 10,
  original: {
    filename: "src/cart.ts",
    line: 12,
    column: 5,
    function: "total",
    context_line: null,
    pre_context: [],
    post_context: [],
  },
};

const withoutCode: KeptFrame = { ...mapped, unmapped: { reason: "source_missing", message: "No text." } };

test("the summary counts unmapped frames and gives the most frequent reason", () => {
  const frames = [
    unmapped("file_not_found"),
    unmapped("position_not_in_map"),
    unmapped("position_not_in_map"),
    mapped,
    { filename: "<anonymous>" },
  ];
  assert.equal(summarizeMapping(frames), "3 of 4 frames could not be mapped: It is position_not_in_map.");
  assert.equal(
    summarizeMapping([unmapped("no_release")]),
    "The frame could not be mapped: It is no_release.",
  );
  assert.equal(
    summarizeMapping([unmapped("no_release"), unmapped("no_release")]),
    "None of the 2 frames could be mapped: It is no_release.",
  );
});

test("the summary mentions missing source texts if all frames were mapped", () => {
  assert.equal(summarizeMapping([mapped, withoutCode]), "1 of 2 frames has no source text: No text.");
  assert.equal(summarizeMapping([mapped, mapped]), null);
});

test("events without minified frames have no summary", () => {
  assert.equal(summarizeMapping([]), null);
  assert.equal(summarizeMapping([{ filename: "shop/cart.py", line: 7 }]), null);
});

test("frames of a server without any source maps are not reported unless their lines are as long as minified ones", () => {
  const frame = unmapped("no_map_for_release", "/srv/shop/app.mjs");
  assert.equal(summarizeMapping([frame]), null);
  assert.equal(summarizeMapping([{ ...frame, filename: "file:///srv/shop/app.mjs" }]), null);
  assert.notEqual(summarizeMapping([{ ...frame, column: 4_000 }]), null);
  assert.notEqual(summarizeMapping([unmapped("file_not_found", "/srv/shop/app.mjs")]), null);
});

test("source maps are missing if a frame of a web page could not be mapped, and none was mapped", () => {
  assert.equal(lacksSourceMaps([unmapped("no_release")]), true);
  assert.equal(lacksSourceMaps([unmapped("no_release"), mapped]), false);
  assert.equal(lacksSourceMaps([unmapped("file_not_found", "/srv/shop/app.mjs")]), false);
  assert.equal(lacksSourceMaps([]), false);
});

test("a reason names the nearest file once", () => {
  const reason = { reason: "file_not_found", nearest: "~/a.js.map" } as const;
  assert.equal(reasonText({ ...reason, message: "No map." }), "No map. The nearest name is ~/a.js.map.");
  assert.equal(reasonText({ ...reason, message: "Use ~/a.js.map." }), "Use ~/a.js.map.");
});
