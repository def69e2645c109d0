/** Calls `open` for a click on an element that the selector matches, also if it was added later. */
export function watchTriggers(selector: string, open: (element: HTMLElement) => void): void {
  const findTrigger = (event: Event) =>
    event
      .composedPath()
      .find((target): target is HTMLElement => target instanceof HTMLElement && target.matches(selector));
  // Capture, because the page may stop the event.
  window.addEventListener(
    "click",
    (event) => {
      const trigger = findTrigger(event);
      if (!trigger) return;
      // A link would lead away.
      event.preventDefault();
      open(trigger);
    },
    true,
  );
}
