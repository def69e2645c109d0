import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./kbd.tsx";

type Props = {
  content: ReactNode;
  shortcut?: string | undefined;
  side?: "top" | "right" | "bottom" | "left" | undefined;
  /** The control. Must accept a ref and have its own accessible name. */
  children: ReactElement;
};

/** Explains a control on hover and focus. Hidden from screen readers: the control's name says the same. */
export function Tooltip({ content, shortcut, side = "bottom", children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup
            aria-hidden
            className="flex max-w-sm animate-appear items-center gap-2 rounded-sm bg-text px-2 py-1 text-sm text-canvas forced-colors:border"
          >
            {content}
            {shortcut !== undefined && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Rendered once around the app. After the first tooltip, others show without delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Base.Provider delay={500}>{children}</Base.Provider>;
}
