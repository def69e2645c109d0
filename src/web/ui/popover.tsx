import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = {
  /** The button that opens it: one element that takes a ref. */
  trigger: ReactElement;
  /** Its name; visible unless `hideTitle`. */
  title: string;
  hideTitle?: boolean;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "left" | "right";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
};

/** A small panel beside its button; Esc or a click elsewhere closes it. */
export function Popover({
  trigger,
  title,
  hideTitle = false,
  align = "start",
  side = "bottom",
  open,
  onOpenChange,
  className,
  children,
}: Props) {
  return (
    <Base.Root {...(open === undefined ? {} : { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup
            className={cx(
              "max-h-(--available-height) max-w-[min(400px,var(--available-width))] animate-appear overflow-y-auto rounded-md bg-surface p-3 shadow-float outline-none forced-colors:border",
              className,
            )}
          >
            <Base.Title className={hideTitle ? "sr-only" : "mb-2 font-semibold"}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
