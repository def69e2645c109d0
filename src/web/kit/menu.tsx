import { cloneElement, type ComponentProps, type KeyboardEvent, type ReactElement, useState } from "react";
import { lazyPart } from "./lazy-part.tsx";
import { LazyPopup } from "./lazy-popup.tsx";
import type { MenuEntry } from "./menu-entry.ts";
import { useOpen } from "./use-open.ts";

type Props = {
  /** The accessible name of the list: "Actions for WEB-12". */
  label: string;
  /** Must accept a ref, `onClick` and `onKeyDown`. */
  trigger: ReactElement<TriggerProps>;
  /** A function is called when the menu opens. */
  items: readonly MenuEntry[] | (() => readonly MenuEntry[]);
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

type TriggerProps = Record<string, unknown> & { onClick?: unknown; onKeyDown?: unknown; ref?: unknown };

const MenuPopup = lazyPart(async () => (await import("./menu-popup.tsx")).MenuPopup);

/** The list of a menu on its own, for a trigger that lives elsewhere. */
export function LazyMenuPopup(props: ComponentProps<typeof MenuPopup>) {
  return (
    <LazyPopup open={props.open} onCancel={() => props.onOpenChange(false)}>
      <MenuPopup {...props} />
    </LazyPopup>
  );
}

/** Loads the code of menus; called when one is hovered or focused. */
export const preloadMenu = () => void MenuPopup.preload().catch(() => {});

/** A button that opens a list of actions. */
export function Menu({ label, trigger, items, align = "start", open, onOpenChange }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen, wasOpened] = useOpen(open, onOpenChange);

  const button = cloneElement(trigger, {
    ref: setAnchor,
    "aria-haspopup": "menu",
    "aria-expanded": isOpen,
    onPointerEnter: preloadMenu,
    onFocus: preloadMenu,
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
      {wasOpened && (
        <LazyMenuPopup
          label={label}
          open={isOpen}
          onOpenChange={setOpen}
          anchor={anchor}
          items={typeof items === "function" ? items() : items}
          align={align}
        />
      )}
    </>
  );
}
