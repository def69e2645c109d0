import { useEffect, useState } from "react";
import { Kbd } from "./kbd.tsx";
import type { Side } from "./tooltip.ts";
import { usePlaced } from "./use-placed.ts";
import { TOOLTIP_BOX, watchTooltips } from "./watch-tooltips.ts";

type Shown = { control: HTMLElement; text: string; keys: string | undefined; side: Side };

/** Rendered once around the app: shows the tooltip of the hovered or focused control that has one. */
export function Tooltips() {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => watchTooltips("[data-tooltip]", (control) => setShown(control && read(control))), []);
  useEffect(() => {
    if (shown === null) return;
    const { control } = shown;
    const observer = new MutationObserver(() => {
      if (!control.isConnected) setShown(null);
      else if (control.dataset["tooltip"] !== shown.text) setShown(read(control));
    });
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-tooltip"] });
    return () => observer.disconnect();
  }, [shown]);
  return shown === null ? null : <Box key={shown.text} {...shown} />;
}

function Box({ control, text, keys, side }: Shown) {
  const box = usePlaced(control, side);
  return (
    <div
      ref={box}
      {...{ [TOOLTIP_BOX]: "" }}
      aria-hidden
      data-no-print
      className="fixed z-70 flex max-w-[min(400px,calc(100vw-16px))] animate-appear items-center gap-2 rounded-sm bg-text px-2 py-1 text-sm text-canvas forced-colors:border"
    >
      <span dir="auto" className="min-w-0">
        {text}
      </span>
      {keys !== undefined && <Kbd keys={keys} />}
    </div>
  );
}

function read(control: HTMLElement): Shown {
  const { tooltip = "", tooltipKeys, tooltipSide } = control.dataset;
  return { control, text: tooltip, keys: tooltipKeys, side: isSide(tooltipSide) ? tooltipSide : "bottom" };
}

const isSide = (text: string | undefined): text is Side =>
  text === "top" || text === "right" || text === "bottom" || text === "left";
