import { ListFilter } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { FilterTrigger, type PickerOpening } from "./filter-select.tsx";
import { Menu } from "./menu.tsx";

export type RowFilter = {
  name: string;
  label: string;
  /** Whether the filter is in effect. Its value is then shown in the row before filters that are not. */
  isOn: boolean;
  /** In the row only while the filter is in effect. */
  isRare?: boolean;
  /** The filter itself, with these properties. See `selectFilter`. */
  renderPicker: (opening: PickerOpening) => ReactNode;
};

type Opened = {
  name: string;
  /** The menu's button if the picker was opened from there. Kept after closing, because the focus returns to it. */
  anchor: HTMLElement | null;
  isOpen: boolean;
};

/** Filters in a single line. Those that do not fit are in a menu, which opens their pickers. */
export function FilterRow({ filters }: { filters: readonly RowFilter[] }) {
  const { box, hidden, first } = useOverflow(filters);
  const [opened, setOpened] = useState<Opened>();
  const menu = useRef<HTMLSpanElement>(null);
  const ordered = [
    ...filters.filter(({ name }) => first.has(name)),
    ...filters.filter(({ name }) => !first.has(name)),
  ];
  const isOff = ({ isRare = false, isOn }: RowFilter) => isRare && !isOn;
  const isHidden = (filter: RowFilter) => isOff(filter) || hidden.has(filter.name);
  const inMenu = filters.filter(isHidden);
  // Those that are only in the menu need no button, but their picker when it is opened from there.
  const rendered = ordered.filter((filter) => !isOff(filter) || opened?.name === filter.name);
  const isMenuNeeded = inMenu.length > 0 || (opened?.isOpen && opened.anchor !== null);
  const onInMenu = inMenu.filter(({ isOn }) => isOn).length;
  return (
    <>
      {/* The padding leaves room for focus rings. */}
      <div
        ref={box}
        className="-m-1 flex h-9 min-w-0 shrink-[9999] flex-wrap justify-end gap-x-1.5 gap-y-4 overflow-hidden p-1"
      >
        {rendered.map((filter) => (
          <span
            key={filter.name}
            data-filter={filter.name}
            className={isOff(filter) ? "hidden" : hidden.has(filter.name) ? "invisible" : undefined}
          >
            {filter.renderPicker({
              open: opened?.name === filter.name && opened.isOpen,
              anchor: opened?.name === filter.name ? opened.anchor : null,
              onOpenChange: (open) =>
                setOpened((now) =>
                  open
                    ? { name: filter.name, anchor: null, isOpen: true }
                    : now?.name === filter.name
                      ? { ...now, isOpen: false }
                      : now,
                ),
            })}
          </span>
        ))}
      </div>
      {isMenuNeeded && (
        <span ref={menu} className="shrink-0">
          <Menu
            label="More filters"
            align="end"
            trigger={
              <FilterTrigger isOn={onInMenu > 0}>
                <ListFilter aria-hidden size={14} className="inline align-[-2px]" />
                <span className="ms-1.5 @max-[960px]/tools:sr-only">More</span>
                <span className="sr-only"> filters</span>
                {onInMenu > 0 && <span className="ms-1.5">{onInMenu}</span>}
              </FilterTrigger>
            }
            items={inMenu.map(({ name, label, isOn }) => ({
              label,
              ...(onInMenu > 0 && { checked: isOn }),
              takesFocus: true,
              onSelect: () =>
                setOpened({
                  name,
                  anchor: menu.current?.querySelector<HTMLElement>("button") ?? null,
                  isOpen: true,
                }),
            }))}
          />
        </span>
      )}
    </>
  );
}

/** Finds the filters that do not fit in the line, and those to show first: a filter in effect should be visible. */
function useOverflow(filters: readonly RowFilter[]) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(NONE);
  const [first, setFirst] = useState<ReadonlySet<string>>(NONE);
  const on = filters.filter(({ isOn }) => isOn).map(({ name }) => name);
  const isOn = useRef(on);
  const measure = useCallback(() => {
    if (box === null) return;
    const next = new Set(wrappedIn(box));
    setHidden((now) => (isSame(now, next) ? now : next));
    const late = isOn.current.filter((name) => next.has(name));
    setFirst((now) => (late.some((name) => !now.has(name)) ? new Set([...now, ...late]) : now));
  }, [box]);
  const measuredText = useRef<string>(undefined);
  // The labels change with the values. Without such a change, what fits depends on the width, which the observer watches:
  // measuring after every render would lay out the whole page each time.
  useLayoutEffect(() => {
    isOn.current = on;
    if (box === null || box.textContent === measuredText.current) return;
    measuredText.current = box.textContent;
    // oxlint-disable-next-line react/set-state-in-effect -- what fits is known only after layout
    measure();
  });
  useEffect(() => {
    if (box === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    void document.fonts.ready.then(measure);
    return () => observer.disconnect();
  }, [box, measure]);
  return { box: setBox, hidden, first };
}

const NONE: ReadonlySet<string> = new Set();

/** The names of the filters that are below the first line or wider than it. */
function wrappedIn(box: HTMLElement): string[] {
  const items = [...box.querySelectorAll<HTMLElement>("[data-filter]")].filter(
    ({ offsetWidth }) => offsetWidth > 0,
  );
  const top = items[0]?.offsetTop ?? 0;
  return items
    .filter((item) => item.offsetTop > top || item.offsetWidth > box.clientWidth - PADDING)
    .map((item) => item.dataset["filter"] ?? "");
}

/** Left and right, in pixels. */
const PADDING = 8;

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size === b.size && [...a].every((name) => b.has(name));
