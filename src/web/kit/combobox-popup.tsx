import { Combobox as Base } from "@base-ui/react/combobox";
import { useDeferredValue, useLayoutEffect, useRef, useState } from "react";
import { Check, Plus, Search } from "lucide-react";
import type { Choice } from "./choice.ts";
import { cx } from "./cx.ts";
import { FLOATING, PLACED } from "./floating.ts";
import { isTouched } from "./last-input.ts";
import { IconSlot } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";
import { takeFocus } from "./take-focus.ts";

type Value = string | number;

type Props = {
  choices: readonly Choice<Value>[];
  label: string;
  labelledBy: string | undefined;
  none: string | undefined;
  multiple: boolean;
  /** The items being edited have different values. */
  mixed: boolean;
  values: Value[];
  onPick: (values: Value[]) => void;
  onSearch?: (query: string) => void;
  onCreate?: (name: string) => void;
  busy?: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLElement | null;
};

/** How many options the first frame renders: more than fit into the list. */
const FIRST_OPTIONS = 16;
const ALL = -1;

const NONE: Value = "";
const CREATE: Value = "\0create";

/** The search field and list that a `Combobox` opens. */
export function ComboboxPopup(props: Props) {
  const { multiple, onSearch, onCreate, values, onPick, mixed, open, onOpenChange } = props;
  const [query, setQuery] = useState("");
  const { all, chosen } = optionsOf(props, query.trim());
  // The list scrolls to the chosen option, so it must be there.
  const isChosenFirst = chosen.every((choice) => all.indexOf(choice) < FIRST_OPTIONS);
  const limit = useDeferredValue(ALL, isChosenFirst ? FIRST_OPTIONS : ALL);

  const pick = (next: Choice<Value>[] | Choice<Value> | null) => {
    if (Array.isArray(next)) {
      if (next.some(({ value }) => value === CREATE)) {
        setQuery("");
        onCreate?.(query.trim());
        return;
      }
      // Server-side search results may not include the selected options.
      const unseen = values.filter((value) => !all.some((choice) => choice.value === value));
      onPick([...unseen, ...next.map(({ value }) => value)]);
      return;
    }
    if (next === null) return;
    onPick(next.value === NONE ? [] : [next.value]);
  };
  // The library looks for the current value, to highlight it, only while the list is closed.
  const [ready, setReady] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- rendered closed first
  useLayoutEffect(() => setReady(true), []);
  const shared = {
    items: all,
    limit,
    filter: onSearch === undefined ? matches : null,
    itemToStringLabel: (choice: Choice<Value>) => choice.label,
    isItemEqualToValue: (a: Choice<Value>, b: Choice<Value>) => a.value === b.value,
    inputValue: query,
    onInputValueChange: (text: string) => {
      setQuery(text);
      onSearch?.(text);
    },
    open: open && ready,
    onOpenChange: (next: boolean) => {
      if (!next) setQuery("");
      onOpenChange(next);
    },
    // The library supports "always" here, although only its autocomplete declares it. With mixed values, Enter must not
    // choose one by accident.
    autoHighlight: mixed || ("always" as unknown as boolean),
    keepHighlight: true,
  };
  return multiple ? (
    <Base.Root {...shared} multiple value={chosen} onValueChange={pick}>
      <Popup {...props} />
    </Base.Root>
  ) : (
    <Base.Root {...shared} value={chosen[0] ?? null} onValueChange={pick}>
      <Popup {...props} />
    </Base.Root>
  );
}

/** The choices, with one for no value and one that creates `name`, and those of them that are chosen. */
function optionsOf({ choices, none, multiple, mixed, values, onSearch, onCreate }: Props, name: string) {
  const isNew =
    onCreate !== undefined &&
    name !== "" &&
    !choices.some(({ label: taken }) => plain(taken) === plain(name));
  // Server-side search results omit the empty option, so that Enter picks the first result.
  const isNoneOffered = none !== undefined && (onSearch === undefined || name === "");
  const all = [
    ...(!isNoneOffered ? [] : [{ value: NONE, label: none }]),
    ...choices,
    ...(isNew ? [{ value: CREATE, label: `Create “${name}”`, icon: Plus }] : []),
  ];
  const chosen = all.filter((choice) =>
    values.length === 0 && !multiple && !mixed ? choice.value === NONE : values.includes(choice.value),
  );
  return { all, chosen };
}

function Popup({ label, labelledBy, onSearch, busy = false, anchor }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  return (
    <Base.Portal>
      <Base.Positioner {...PLACED} anchor={anchor}>
        <Base.Popup
          {...(labelledBy === undefined ? { "aria-label": label } : { "aria-labelledby": labelledBy })}
          ref={popup}
          // The library focuses its field in place of the popup, because it does not know how the button was pressed.
          onFocus={(event) => isTouched() && event.preventBaseUIHandler()}
          initialFocus={() => (isTouched() ? popup.current : takeFocus(input.current))}
          // Return the focus to the button, unless something else has taken it.
          finalFocus={() => (hasFocus(popup.current) ? anchor : false)}
          className={cx(
            FLOATING,
            "flex max-h-[min(360px,var(--available-height))] max-w-(--available-width) flex-col overflow-hidden",
            // Server-side search results have long titles.
            onSearch === undefined
              ? "w-[max(var(--anchor-width),240px)]"
              : "w-[max(var(--anchor-width),400px)]",
          )}
        >
          <div className="flex items-center gap-2 border-b border-line px-3 text-text-3">
            {busy ? <Spinner size={14} /> : <Search size={14} className="shrink-0" />}
            <Base.Input
              ref={input}
              aria-label={`Search: ${label}`}
              placeholder="Search"
              // If the Enter that opened the picker is held, its repeats must not choose an option.
              onKeyDown={(event) => event.key === "Enter" && event.repeat && event.preventBaseUIHandler()}
              className="h-9 min-w-0 flex-1 bg-transparent text-base text-text outline-none"
            />
          </div>
          <Base.Empty className="px-3 py-3 text-text-3 empty:hidden">
            {busy ? "Searching" : "Nothing found"}
          </Base.Empty>
          <Base.List
            aria-label={label}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-1 outline-none data-empty:p-0"
          >
            {(choice: Choice<Value>) => <Option key={choice.value} choice={choice} />}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

function Option({ choice }: { choice: Choice<Value> }) {
  return (
    <Base.Item
      value={choice}
      disabled={choice.disabled ?? false}
      className="mx-1 flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover"
    >
      <IconSlot icon={choice.icon} />
      <span dir="auto" className="truncate">
        {choice.label}
      </span>
      {choice.hint !== undefined && (
        <span className="min-w-0 flex-1 truncate text-sm text-text-3">{choice.hint}</span>
      )}
      <Base.ItemIndicator className="ms-auto text-accent-text">
        <Check size={16} />
      </Base.ItemIndicator>
    </Base.Item>
  );
}

function hasFocus(popup: HTMLElement | null): boolean {
  const { activeElement } = document;
  return popup === null || activeElement === document.body || popup.contains(activeElement);
}

/** Every word of the query must be a prefix of a word in the label or hint. The entry that creates always matches. */
function matches(choice: Choice<Value>, query: string): boolean {
  if (choice.value === CREATE) return true;
  const text = plain(`${choice.label} ${choice.hint ?? ""}`);
  return plain(query)
    .trim()
    .split(/\s+/)
    .every((word) => beginsWord(text, word));
}

/** Ignores case and whether accents are separate code points. */
const plain = (text: string) => text.normalize("NFC").toLowerCase();

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  return false;
}
