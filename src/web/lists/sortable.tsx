import { type ReactNode, useEffect, useMemo } from "react";
import { EllipsisVertical } from "lucide-react";
import { cx } from "../kit/cx.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { indexAtEdge } from "./lift.ts";
import { announce } from "../kit/notices/live-region.ts";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { DropLine } from "./drop-line.tsx";
import { moveEntries } from "./move-entries.ts";
import { useDraggableItem } from "./use-draggable-item.ts";
import { type DropEdge, useDropTarget } from "./use-drop-target.ts";
import { focusLifted, useLift } from "./use-lift.ts";

type Props<T> = {
  /** The name of the list. */
  label: string;
  items: readonly T[];
  itemId: (item: T) => string;
  itemLabel: (item: T) => string;
  /** `index` does not count the item itself. */
  onMove: (id: string, index: number) => void;
  /** More entries of the item's menu, above the moves. */
  menu?: (item: T) => readonly MenuEntry[];
  disabled?: boolean;
  children: (item: T) => ReactNode;
};

/** A list whose items are reordered by drag, by Space and arrows on an item, and by its menu. */
export function Sortable<T>({
  label,
  items,
  itemId,
  itemLabel,
  onMove,
  menu,
  disabled = false,
  children,
}: Props<T>) {
  const ids = useMemo(() => items.map(itemId), [items, itemId]);
  const lists = useMemo(() => [{ id: "", name: label, items: ids }], [label, ids]);
  const lift = useLift(lists, (id, to) => onMove(id, to.index));
  useEffect(() => focusLifted(lift.lifted?.id), [lift.lifted]);
  const byId = new Map(items.map((item) => [itemId(item), item]));

  const move = (id: string, index: number) => {
    onMove(id, index);
    announce(`Moved to position ${index + 1} of ${ids.length}.`);
  };
  return (
    <ul aria-label={label} className="border-t border-line">
      {lift.lists[0]?.items.map((id) => {
        const item = byId.get(id);
        if (item === undefined) return null;
        const entries = [
          ...(menu?.(item) ?? []),
          ...moveEntries(ids.indexOf(id), ids.length, (index) => move(id, index)),
        ];
        return (
          <SortableItem
            key={id}
            id={id}
            list={label}
            label={itemLabel(item)}
            entries={entries}
            disabled={disabled}
            itemProps={lift.itemProps(id)}
            onDropped={(dragged, edge) => move(dragged, indexAtEdge(ids, dragged, id, edge))}
          >
            {children(item)}
          </SortableItem>
        );
      })}
    </ul>
  );
}

type ItemProps = {
  id: string;
  list: string;
  label: string;
  entries: readonly MenuEntry[];
  disabled: boolean;
  itemProps: ReturnType<ReturnType<typeof useLift>["itemProps"]>;
  onDropped: (id: string, edge: DropEdge) => void;
  children: ReactNode;
};

function SortableItem({ id, list, label, entries, disabled, itemProps, onDropped, children }: ItemProps) {
  const kind = `sortable:${list}`;
  const { ref: drag, dragging } = useDraggableItem({ kind, id, disabled });
  const { ref: drop, edge } = useDropTarget({ kind, id, onDrop: (dragged, at) => onDropped(dragged.id, at) });
  if (disabled)
    return <li className="flex min-h-10 items-center gap-2 border-b border-line px-4">{children}</li>;
  return (
    <li
      ref={(element) => {
        const ends = [drag(element), drop(element)];
        return () => {
          for (const end of ends) end?.();
        };
      }}
      className={cx("relative border-b border-line", dragging && "opacity-50")}
    >
      <DropLine edge={edge} />
      <div className="flex items-center gap-2 pe-2">
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a group that Space lifts; its content stays usable */}
        <div
          role="group"
          aria-label={label}
          aria-roledescription="sortable item"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
          tabIndex={0}
          {...itemProps}
          className={cx(
            "flex min-h-10 min-w-0 flex-1 cursor-grab items-center gap-2 px-4 focus-visible:-outline-offset-2",
            itemProps["data-lifted"] && "bg-selected outline-2 -outline-offset-2 outline-accent",
          )}
        >
          {children}
        </div>
        <Menu
          label={`Move ${label}`}
          align="end"
          trigger={<IconButton label={`Actions for ${label}`} size="sm" icon={EllipsisVertical} />}
          items={entries}
        />
      </div>
    </li>
  );
}
