export type Side = "top" | "right" | "bottom" | "left";

type Options = {
  /** Keys in the catalog's notation, shown beside the text. */
  shortcut?: string | undefined;
  side?: Side | undefined;
};

/**
 * Attributes that give a control a tooltip: `<button {...tooltip("Edit")}>`. Hidden from screen readers, so the
 * control's own name must say the same. `Tooltips` shows it.
 */
export const tooltip = (text: string, { shortcut, side = "bottom" }: Options = {}) => ({
  "data-tooltip": text,
  "data-tooltip-keys": shortcut,
  "data-tooltip-side": side,
});
