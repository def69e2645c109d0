import type { Side } from "./tooltip.ts";

type Size = { width: number; height: number };
type Box = Size & { left: number; top: number };

const GAP = 6;
const MARGIN = 8;

/**
 * Where a tooltip of the given size goes: on that side of its control, or on the opposite side if the window has no
 * room there. It never leaves the window.
 */
export function placeTooltip(control: Box, { width, height }: Size, view: Size, side: Side) {
  const right = control.left + control.width;
  const bottom = control.top + control.height;
  const isVertical = side === "top" || side === "bottom";
  const at = {
    top: control.top - GAP - height,
    bottom: bottom + GAP,
    left: control.left - GAP - width,
    right: right + GAP,
  };
  const [room, length] = isVertical ? [view.height, height] : [view.width, width];
  const fits = (where: Side) => at[where] >= MARGIN && at[where] + length <= room - MARGIN;
  const chosen = at[fits(side) || !fits(OPPOSITE[side]) ? side : OPPOSITE[side]];
  return {
    left: within(isVertical ? control.left + (control.width - width) / 2 : chosen, width, view.width),
    top: within(isVertical ? chosen : control.top + (control.height - height) / 2, height, view.height),
  };
}

const OPPOSITE = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;

const within = (start: number, length: number, room: number) =>
  Math.max(MARGIN, Math.min(start, room - MARGIN - length));
