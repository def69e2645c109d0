import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { holdKeys, writeHeld } from "./held-keys.ts";

class Field extends EventTarget {
  value = "";
  selectionStart = 0;
  selectionEnd = 0;
  setRangeText(text: string) {
    this.value = text;
  }
}

beforeEach(() =>
  Object.assign(globalThis, {
    window: new EventTarget(),
    HTMLInputElement: Field,
    HTMLTextAreaElement: Field,
    InputEvent: Event,
  }),
);

const type = (text: string) => {
  for (const key of text) window.dispatchEvent(Object.assign(new Event("keydown"), { key }));
};

function written(): string {
  const field = new Field();
  writeHeld(field as unknown as HTMLInputElement);
  return field.value;
}

test("text typed while a popup and then its dialog load goes to the first field", () => {
  const releasePopup = holdKeys(() => {});
  type("ca");
  // React replaces one fallback by the other in one task.
  releasePopup();
  const releaseDialog = holdKeys(() => {});
  type("mp");
  releaseDialog();
  assert.equal(written(), "camp");
});

test("a popup that opens later does not get the text of an earlier one", async () => {
  const release = holdKeys(() => {});
  type("old");
  release();
  await Promise.resolve();
  const releaseLater = holdKeys(() => {});
  type("new");
  releaseLater();
  assert.equal(written(), "new");
});
