import { Menu as Base } from "@base-ui/react/menu";
import { Fragment, type ReactNode, useEffect, useId, useRef } from "react";
import { Check, ChevronRight } from "lucide-react";
import { cx } from "./cx.ts";
import { FLOATING, PLACED } from "./floating.ts";
import { IconSlot } from "./icon.tsx";
import { Kbd } from "./kbd.tsx";
import type { MenuEntry, MenuItem } from "./menu-entry.ts";

/** What the menu is positioned against: an element or a point. */
export type MenuAnchor = HTMLElement | null | { getBoundingClientRect: () => DOMRect };

type Props = {
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: MenuAnchor;
  items: readonly MenuEntry[];
  align: "start" | "center" | "end";
};

/** The popup of a `Menu`. */
export function MenuPopup({ label, open, onOpenChange, anchor, items, align }: Props) {
  const focusTaken = useRef(false);
  useEffect(() => {
    if (open) focusTaken.current = false;
  }, [open]);
  const choose = (item: MenuItem) => {
    focusTaken.current = item.takesFocus ?? false;
    item.onSelect?.();
  };
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner
          {...PLACED}
          anchor={anchor}
          align={align}
          // The popup is rendered at the end of the page, outside any landmark.
          role="region"
          aria-label="Menu"
        >
          <Base.Popup
            aria-label={label}
            className={POPUP}
            finalFocus={() =>
              !focusTaken.current && !isInDialog() && (anchor instanceof HTMLElement ? anchor : true)
            }
          >
            <Entries items={items} onChoose={choose} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Whether a dialog that the menu opened already has the focus. A menu inside a dialog is rendered in a portal. */
const isInDialog = () => Boolean(document.activeElement?.closest("[role=dialog], [role=alertdialog]"));

type Choose = (item: MenuItem) => void;

function Entries({ items, onChoose }: { items: readonly MenuEntry[]; onChoose: Choose }) {
  // If any entry has an icon, the labels of all entries are aligned.
  const indent = items.some(
    (entry) => isItem(entry) && (entry.icon !== undefined || entry.checked !== undefined),
  );
  return sectionsOf(items).map(({ heading, items: entries }, index) => {
    const inside = entries.map((item) => (
      <Fragment key={item.label}>
        <Entry item={item} indent={indent} onChoose={onChoose} />
      </Fragment>
    ));
    if (heading === undefined) return <Fragment key="unnamed">{inside}</Fragment>;
    if (heading === null)
      return (
        // oxlint-disable-next-line react/no-array-index-key -- a separator has nothing else
        <Fragment key={index}>
          <Base.Separator className="mx-2 my-1 h-px bg-line" />
          {inside}
        </Fragment>
      );
    return (
      <Base.Group key={heading}>
        <Base.GroupLabel className="px-3 pt-2 pb-1 text-sm text-text-3">{heading}</Base.GroupLabel>
        {inside}
      </Base.Group>
    );
  });
}

type Section = {
  /** Null after a separator; undefined for the first entries. */
  heading: string | null | undefined;
  items: MenuItem[];
};

/** Splits the entries at headings and separators. */
function sectionsOf(entries: readonly MenuEntry[]): Section[] {
  const sections: Section[] = [{ heading: undefined, items: [] }];
  for (const entry of entries) {
    if (!entry) continue;
    if (isItem(entry)) sections.at(-1)?.items.push(entry);
    else sections.push({ heading: entry === "separator" ? null : entry.heading, items: [] });
  }
  return sections;
}

function isItem(entry: MenuEntry): entry is MenuItem {
  return typeof entry === "object" && entry !== null && "label" in entry;
}

function Entry({ item, indent, onChoose }: { item: MenuItem; indent: boolean; onChoose: Choose }) {
  const id = useId();
  const className = cx(ITEM, item.danger && "text-danger data-highlighted:bg-danger-tint");
  const hasHint = item.hint !== undefined;
  const said = hasHint && { "aria-labelledby": `${id}-label`, "aria-describedby": `${id}-hint` };
  const shared = { className, disabled: item.disabled ?? false, label: item.label, ...said };
  if (item.items !== undefined)
    return (
      <Base.SubmenuRoot>
        <Base.SubmenuTrigger {...shared}>
          <Inside
            id={id}
            item={item}
            indent={indent}
            end={<ChevronRight size={14} className="text-text-3" />}
          />
        </Base.SubmenuTrigger>
        <Base.Portal>
          <Base.Positioner {...PLACED} role="region" aria-label="Submenu" sideOffset={-4} alignOffset={-5}>
            <Base.Popup className={POPUP}>
              <Entries items={item.items} onChoose={onChoose} />
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.SubmenuRoot>
    );
  if (item.link !== undefined)
    return (
      <Base.LinkItem className={className} label={item.label} closeOnClick render={item.link} {...said}>
        <Inside id={id} item={item} indent={indent} />
      </Base.LinkItem>
    );
  if (item.checked !== undefined)
    return (
      <Base.CheckboxItem
        {...shared}
        checked={item.checked}
        onCheckedChange={() => onChoose(item)}
        closeOnClick
        {...(item.exclusive && { role: "menuitemradio" })}
      >
        <Inside id={id} item={item} indent={indent} />
      </Base.CheckboxItem>
    );
  return (
    <Base.Item {...shared} onClick={() => onChoose(item)}>
      <Inside id={id} item={item} indent={indent} />
    </Base.Item>
  );
}

function Inside({ id, item, indent, end }: { id: string; item: MenuItem; indent: boolean; end?: ReactNode }) {
  const icon = item.checked === undefined ? item.icon : item.checked ? Check : undefined;
  return (
    <>
      {indent && (
        <span className="flex w-4 shrink-0 text-text-3 [.text-danger_&]:text-danger">
          <IconSlot icon={icon} />
        </span>
      )}
      <span className="flex-1">
        <span id={`${id}-label`}>{item.label}</span>
        {item.hint !== undefined && (
          <span id={`${id}-hint`} className="block text-sm text-text-3">
            {item.hint}
          </span>
        )}
      </span>
      {item.shortcut !== undefined && <Kbd silent keys={item.shortcut} className="text-text-3" />}
      {end}
    </>
  );
}

const POPUP = cx(
  FLOATING,
  "max-h-(--available-height) min-w-44 max-w-[min(360px,var(--available-width))] overflow-y-auto py-1",
);
const ITEM =
  "mx-1 flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-highlighted:bg-hover data-popup-open:bg-hover data-disabled:opacity-50";
