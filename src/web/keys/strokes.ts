/** A key press, as the catalogue writes it: `mod+k`, `shift+r`, `?`, `ArrowUp`. */
export type Press = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
};

export function strokeOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string {
  const letter = key.length === 1 ? key.toLowerCase() : key;
  // What shift makes of a sign key is in the key itself: `?` has none.
  const shifted = shiftKey && (key.length > 1 || /[a-z]/i.test(key));
  return `${ctrlKey || metaKey ? "mod+" : ""}${altKey ? "alt+" : ""}${shifted ? "shift+" : ""}${letter}`;
}

/** Single keys can be switched off (WCAG 2.1.4); those with ⌘, Ctrl or Alt, and named keys, stay. */
export function isSingleKey(keys: string): boolean {
  return keys.split(" ").some((stroke) => stroke.replace("shift+", "").length === 1) || keys === " ";
}

/** How long `g` waits for its second key. */
export const SEQUENCE_MS = 1_200;

/**
 * What a press means after the one before it: the keys it completes, best first, and whether it begins a sequence.
 */
export function matches(stroke: string, pending: string | undefined): string[] {
  return pending === undefined ? [stroke] : [`${pending} ${stroke}`, stroke];
}
