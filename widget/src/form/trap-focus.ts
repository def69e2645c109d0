const FOCUSABLE = "a[href], button, input, textarea, select, summary, [tabindex='0']";

/** Makes Tab go around: a modal dialog alone lets it leave for the browser's own controls. */
export function trapFocus(dialog: HTMLDialogElement): void {
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
    const shown = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
      (element) => element.getClientRects().length > 0 && !element.matches(":disabled"),
    );
    const [from, to] = event.shiftKey ? [shown[0], shown.at(-1)] : [shown.at(-1), shown[0]];
    if (event.target !== from) return;
    event.preventDefault();
    to?.focus();
  });
}
