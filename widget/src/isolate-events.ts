/** The element that contains the form. */
export const FORM_TAG = "signalbox-form";

/**
 * Keeps the keystrokes in the form from the page's handlers, also from those that capture. A copy of each event is dispatched to
 * its target and stays inside the shadow root. Only handlers that capture at the window and were added earlier see the original.
 */
export function isolateKeys(): void {
  for (const type of ["keydown", "keypress", "keyup"] as const)
    window.addEventListener(type, copyIntoForm, true);
}

function copyIntoForm(event: KeyboardEvent) {
  if (!(event.target instanceof HTMLElement) || event.target.localName !== FORM_TAG) return;
  event.stopImmediatePropagation();
  const { type, key, code, ctrlKey, metaKey, shiftKey, altKey, repeat, isComposing } = event;
  const pressed = { key, code, ctrlKey, metaKey, shiftKey, altKey, repeat, isComposing };
  const copy = new KeyboardEvent(type, { ...pressed, bubbles: true, cancelable: true });
  if (event.composedPath()[0]?.dispatchEvent(copy) === false) event.preventDefault();
}

/** What bubbles out of a shadow root. A page may take a click for one outside of its own dialog, or a paste for its own. */
const BUBBLING =
  "beforeinput input compositionstart compositionupdate compositionend copy cut paste dragenter dragover dragleave drop " +
  "focusin focusout click auxclick dblclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend wheel";

/** Keeps the other events of the form from the page's handlers that do not capture. */
export function isolateEvents(host: HTMLElement): void {
  for (const type of BUBBLING.split(" "))
    host.addEventListener(type, (event) => event.stopPropagation(), { passive: true });
}
