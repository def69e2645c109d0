import type { KeyboardEvent } from "react";

/** The arrow keys, Home and End move between the buttons of a toolbar, which is one stop for Tab. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const bar = event.currentTarget;
  const buttons = [...bar.querySelectorAll("button")];
  const current = buttons.findIndex((button) => button === document.activeElement);
  const isRtl = getComputedStyle(bar).direction === "rtl";
  const last = buttons.length - 1;
  const target = {
    [isRtl ? "ArrowLeft" : "ArrowRight"]: current === last ? 0 : current + 1,
    [isRtl ? "ArrowRight" : "ArrowLeft"]: current === 0 ? last : current - 1,
    Home: 0,
    End: last,
  }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  buttons[target]?.focus();
}
