/** Where a popup opens: at the start of its anchor, below it if there is room. */
export const PLACED = {
  align: "start",
  sideOffset: 4,
  collisionPadding: 8,
  className: "z-50 outline-none",
} as const;

/** The surface of a popup. */
export const FLOATING =
  "animate-appear rounded-md bg-surface shadow-float outline-none transition-opacity duration-140 data-ending-style:opacity-0 forced-colors:border";
