import { cloneElement, type KeyboardEvent, type ReactElement, useEffect, useState } from "react";
import { loadedPart, useOpen } from "./loaded-part.ts";
import type { MenuEntry } from "./menu-entry.ts";

type Props = {
  /** The name of the list: "Actions for WEB-12". */
  label: string;
  /** The button: one element that takes a ref, `onClick` and `onKeyDown`. */
  trigger: ReactElement<TriggerProps>;
  items: readonly MenuEntry[];
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

type TriggerProps = Record<string, unknown> & { onClick?: unknown; onKeyDown?: unknown; ref?: unknown };

/** What the menus open is fetched with the first of them. */
export const menuPart = loadedPart(async () => (await import("./menu-popup.tsx")).MenuPopup);

/** A button that opens a list of actions: arrows, letters, Esc; submenus by arrow or click. */
export function Menu({ label, trigger, items, align = "start", open, onOpenChange }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useOpen(open, onOpenChange);
  useEffect(() => {
    if (isOpen) menuPart.load();
  }, [isOpen]);

  const button = cloneElement(trigger, {
    ref: setAnchor,
    "aria-haspopup": "menu",
    "aria-expanded": isOpen,
    onPointerEnter: menuPart.load,
    onFocus: menuPart.load,
    onClick: () => setOpen(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setOpen(true);
    },
  });
  return (
    <>
      {button}
      <menuPart.Part
        label={label}
        open={isOpen}
        onOpenChange={setOpen}
        anchor={anchor}
        items={items}
        align={align}
      />
    </>
  );
}
