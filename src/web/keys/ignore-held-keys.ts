/**
 * Ignores the repeats of a held key that would change something again: of a key that has run a command, wherever the focus is by
 * then, and of Enter and Space on controls. Keys that write text or move keep repeating.
 */
export function ignoreHeldKeys(target: Document): {
  spend: (event: KeyboardEvent) => void;
  stop: () => void;
} {
  /** The key that has run a command and may still be held. */
  let spent: string | undefined;
  const onKey = (event: KeyboardEvent) => {
    if (!event.repeat) {
      spent = undefined;
      return;
    }
    if (event.code !== spent && !pressesAgain(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.code === spent) spent = undefined;
  };
  target.addEventListener("keydown", onKey, true);
  target.addEventListener("keyup", onKeyUp, true);
  return {
    spend: ({ code }) => {
      spent = code;
    },
    stop: () => {
      target.removeEventListener("keydown", onKey, true);
      target.removeEventListener("keyup", onKeyUp, true);
    },
  };
}

/** Whether this key presses a control or submits a form. */
function pressesAgain({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key === "Enter") return ctrlKey || metaKey || !isMultiline(target);
  return key === " " && !isTyping(target) && target instanceof HTMLElement && target.matches(CONTROL);
}

const CONTROL = "a, button, input, summary, [role]";

const isMultiline = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLTextAreaElement);

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return (
    target instanceof HTMLInputElement &&
    !["checkbox", "radio", "button", "submit", "range"].includes(target.type)
  );
}
