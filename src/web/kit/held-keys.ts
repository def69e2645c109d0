/**
 * Text typed while a dialog, picker or menu is loading. It belongs in the popup's first field and must not trigger
 * the page's shortcuts.
 */
let written = "";
let expiry: ReturnType<typeof setTimeout> | undefined;

/** Whether a hold has ended in this task. If its popup loads more code, the next hold takes over its text. */
let isHandedOver = false;

/** React may run the effect that focuses the popup's first field in a later task. Older text is stale. */
const EXPIRES_MS = 5_000;

/** Captures key presses until the returned function is called. `onEscape` runs when the user cancels. */
export function holdKeys(onEscape: () => void): () => void {
  if (!isHandedOver) written = "";
  clearTimeout(expiry);
  const hold = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // The key that opens the popup may still be held.
    if (event.repeat) return;
    if (event.key === "Escape") {
      written = "";
      onEscape();
    } else if (event.key === "Backspace") written = written.slice(0, -1);
    else if (event.key.length === 1) written += event.key;
  };
  window.addEventListener("keydown", hold, true);
  return () => {
    window.removeEventListener("keydown", hold, true);
    expiry = setTimeout(() => (written = ""), EXPIRES_MS);
    isHandedOver = true;
    queueMicrotask(() => (isHandedOver = false));
  };
}

/**
 * Types the captured text into the field that just got the focus. If it takes no text, the keys may be shortcuts of its
 * dialog, such as the digit of a reason, so they are pressed on it.
 */
export function writeHeld(field: HTMLElement): void {
  const text = written;
  written = "";
  if (text === "") return;
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  const { selectionStart, selectionEnd } = isField ? field : NO_TEXT;
  if (!isField || selectionStart === null || selectionEnd === null) return pressOn(field, text);
  field.setRangeText(text, selectionStart, selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
}

const NO_TEXT = { selectionStart: null, selectionEnd: null };

/** After the popup has opened. */
function pressOn(element: HTMLElement, keys: string): void {
  queueMicrotask(() => {
    for (const key of keys)
      element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
}
