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
 * The keys of the catalogue that a press stands for. After a `g` a single key is the second of a sequence and nothing
 * else: where `g e` leads nowhere, `e` alone would do something that nobody asked for.
 */
export function meaningOf(stroke: string, pending: string | undefined): string {
  return pending === undefined || !isSingleKey(stroke) ? stroke : `${pending} ${stroke}`;
}
