import { LAYER } from "./take-focus.ts";

/**
 * Keeps the keyboard focus in the box when the focused control is removed, for example with the row that it deleted.
 * Otherwise, the next Tab would start at the top of the page, and screen readers would lose their place. The focus moves to
 * the control whose `data-control` is the removed control's `data-replaced-by`, or to a heading. It never moves to another
 * action, which a second Enter would run. A ref: `<section ref={keepFocus}>`.
 */
export function keepFocus(box: HTMLElement | null): (() => void) | undefined {
  if (box === null) return undefined;
  let last: { control: HTMLElement; section: Element | null; removedBehindDialog?: boolean } | undefined;
  const remember = ({ target }: FocusEvent) => {
    // With the mouse, nothing should have the focus that the next Enter would press.
    last =
      target instanceof HTMLElement && target.matches(":focus-visible")
        ? { control: target, section: target.closest("section") }
        : undefined;
  };
  const restore = () => {
    if (last === undefined || last.control.isConnected) return;
    const { control, section, removedBehindDialog = false } = last;
    if (document.activeElement?.closest(LAYER)) {
      last.removedBehindDialog = true;
      return;
    }
    if (document.activeElement !== document.body && !removedBehindDialog) return;
    last = undefined;
    // After the dialog has returned the focus, which may be to a control that had it earlier.
    queueMicrotask(() => {
      const replacement = replacementOf(control, box);
      if (replacement) {
        replacement.addEventListener("keydown", ignoreRepeats);
        replacement.focus();
      } else focusHeading([section, box]);
    });
  };
  const observer = new MutationObserver(restore);
  observer.observe(box, { childList: true, subtree: true });
  // Dialogs are rendered in the body. The control may be removed while one is open.
  observer.observe(document.body, { childList: true });
  box.addEventListener("focusin", remember);
  return () => {
    observer.disconnect();
    box.removeEventListener("focusin", remember);
  };
}

function replacementOf({ dataset: { replacedBy } }: HTMLElement, box: HTMLElement): HTMLElement | undefined {
  const found = box.querySelector<HTMLElement>(`[data-control="${replacedBy}"]`);
  return found?.checkVisibility() ? found : undefined;
}

/** If the Enter that pressed the removed control is held, its repeats must not press the replacement. */
function ignoreRepeats(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}

/** The first of the boxes that still has a heading, or else the page. */
function focusHeading(boxes: readonly (Element | null)[]) {
  const heading =
    boxes.filter((box) => box?.isConnected).map((box) => box?.querySelector<HTMLElement>("h1, h2, h3"))[0] ??
    document.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
