/** The parts of a key event that make up a stroke such as `mod+k`, `shift+r`, `?` or `ArrowUp`. */
export type Press = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
};

export function strokeOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string {
  const letter = key.length === 1 ? key.toLowerCase() : key;
  // For symbols, the key already reflects Shift: `?` needs no `shift+`.
  const shifted = shiftKey && (key.length > 1 || /[a-z]/i.test(key));
  return `${ctrlKey || metaKey ? "mod+" : ""}${altKey ? "alt+" : ""}${shifted ? "shift+" : ""}${letter}`;
}

/** Users can turn off single-character shortcuts (WCAG 2.1.4). Keys with ⌘, Ctrl or Alt and named keys stay. */
export function isSingleKey(keys: string): boolean {
  return keys.split(" ").some((stroke) => stroke.replace("shift+", "").length === 1) || keys === " ";
}

/** How long `g` waits for its second key. */
export const SEQUENCE_MS = 1_200;

/**
 * The catalog keys that a stroke stands for. After `g`, a single key only continues the sequence: if `g e` is not
 * bound, running `e` would surprise the user.
 */
export function meaningOf(stroke: string, pending: string | undefined): string {
  return pending === undefined || !isSingleKey(stroke) ? stroke : `${pending} ${stroke}`;
}
