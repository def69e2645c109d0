/** Marks the shown tooltip, which the pointer may enter without closing it. */
export const TOOLTIP_BOX = "data-tooltip-box";

const OPEN_MS = 500;
/** Enough to move the pointer from the control into its tooltip. */
const CLOSE_MS = 120;
/** After one tooltip closes, the next opens without delay for this time. */
const WARM_MS = 400;

/**
 * Calls `show` with the control matching the selector whose tooltip should be visible, or null. One set of listeners
 * serves all controls, so that a control with a tooltip costs nothing to render. Returns a function that stops this.
 * `first` is a control that was reached before the call.
 */
export function watchTooltips(
  selector: string,
  show: (control: HTMLElement | null) => void,
  first?: HTMLElement | null,
): () => void {
  const controlAt = (target: Element) => target.closest<HTMLElement>(selector);
  const ending = new AbortController();
  let shown: HTMLElement | null = null;
  let waiting: HTMLElement | null = null;
  // Pressed or dismissed: stays closed until the pointer leaves it.
  let dismissed: HTMLElement | null = null;
  let closedAt = -WARM_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const set = (control: HTMLElement | null) => {
    clearTimeout(timer);
    waiting = null;
    if (control === shown) return;
    if (control === null) closedAt = performance.now();
    shown = control;
    show(control);
  };
  const open = (control: HTMLElement) => {
    if (control === shown || control === waiting) return;
    if (shown !== null || performance.now() - closedAt < WARM_MS) return set(control);
    clearTimeout(timer);
    waiting = control;
    timer = setTimeout(() => set(control), OPEN_MS);
  };
  const close = () => {
    clearTimeout(timer);
    waiting = null;
    if (shown !== null) timer = setTimeout(() => set(null), CLOSE_MS);
  };
  const dismiss = () => {
    dismissed = shown ?? waiting;
    set(null);
  };
  const on = <K extends keyof DocumentEventMap>(type: K, listener: (event: DocumentEventMap[K]) => void) =>
    document.addEventListener(type, listener, { capture: true, passive: true, signal: ending.signal });

  on("pointerover", ({ pointerType, target }) => {
    if (pointerType === "touch" || !(target instanceof Element)) return;
    if (target.closest(`[${TOOLTIP_BOX}]`) !== null) return clearTimeout(timer);
    const control = controlAt(target);
    if (control !== dismissed) dismissed = null;
    if (control === null) close();
    else if (control === shown) clearTimeout(timer);
    else if (control !== dismissed) open(control);
  });
  on("pointerout", ({ relatedTarget }) => {
    // The pointer left the window.
    if (relatedTarget === null) close();
  });
  on("focusin", ({ target }) => {
    const control = target instanceof Element && target.matches(":focus-visible") ? controlAt(target) : null;
    set(control);
  });
  on("focusout", () => set(null));
  on("pointerdown", dismiss);
  on("click", dismiss);
  on("keydown", ({ key }) => {
    if (key === "Escape") dismiss();
  });
  if (first?.matches(":focus-visible")) set(first);
  else if (first?.matches(":hover")) open(first);
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}
