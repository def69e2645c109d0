/**
 * Keys that are pressed while a dialog, a picker or a menu is on its way: they are meant for it, and must not run the
 * page's commands. What they write waits for its first field.
 */
let written = "";

/** From now on keys wait. `onEscape`: it is not wanted any more. Returns how to let keys go where they go. */
export function holdKeys(onEscape: () => void): () => void {
  written = "";
  const hold = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Escape") onEscape();
    else if (event.key === "Backspace") written = written.slice(0, -1);
    else if (event.key.length === 1) written += event.key;
  };
  window.addEventListener("keydown", hold, true);
  return () => {
    window.removeEventListener("keydown", hold, true);
    // What opens takes it at once, or not at all.
    setTimeout(() => (written = ""));
  };
}

/** Writes what waited where the focus has just come to; what takes no text is given none. */
export function writeHeld(field: HTMLElement): void {
  const text = written;
  written = "";
  if (text === "" || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const { selectionStart, selectionEnd } = field;
  if (selectionStart === null || selectionEnd === null) return;
  field.setRangeText(text, selectionStart, selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
}
