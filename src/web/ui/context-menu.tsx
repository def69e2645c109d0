import { type MouseEvent, type ReactNode, useMemo, useState } from "react";
import { type MenuEntry, menuPart } from "./menu.tsx";

/** The actions of a thing on right click, long press or the menu key. Each of them has another way too. */
export function ContextMenu({
  label,
  items,
  className,
  children,
}: {
  label: string;
  items: readonly MenuEntry[];
  className?: string;
  children: ReactNode;
}) {
  const [point, setPoint] = useState({ x: 0, y: 0 });
  const [open, setOpen] = useState(false);
  const anchor = useMemo(
    () => ({ getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) }),
    [point],
  );

  const show = (event: MouseEvent) => {
    event.preventDefault();
    menuPart.load();
    setPoint({ x: event.clientX, y: event.clientY });
    setOpen(true);
  };
  return (
    <div className={className} onContextMenu={show}>
      {children}
      <menuPart.Part
        label={label}
        open={open}
        onOpenChange={setOpen}
        anchor={anchor}
        items={items}
        align="start"
      />
    </div>
  );
}
