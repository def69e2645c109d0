import type { Locator } from "playwright-core";
import { png } from "../support/images.ts";

/** Dispatches the event that Ctrl V with a picture in the clipboard causes on an element. */
export async function pastePicture(target: Locator, name: string): Promise<void> {
  const bytes = [...(await png(60, 40))];
  await target.evaluate(
    (element, { bytes, name }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name, { type: "image/png" }));
      element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    { bytes, name },
  );
}
