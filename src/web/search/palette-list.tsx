import { memo, useDeferredValue } from "react";
import { ItemKey } from "../lists/item-key.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { useLatest } from "../lists/use-latest.ts";
import { CommandMark } from "./command-mark.tsx";
import { HitMark } from "./hit-mark.tsx";
import type { PaletteEntry } from "./palette-entries.ts";

type Props = {
  id: string;
  entries: readonly PaletteEntry[];
  current: number;
  onPoint: (index: number) => void;
  onPick: (entry: PaletteEntry) => void;
};

/** How many entries the first frame renders: more than fit into the palette. */
const FIRST_ENTRIES = 16;

/** The entries of the palette by group. The focus stays in the field above, which refers to the active one. */
export function PaletteList({ id, entries, current, onPoint, onPick }: Props) {
  const limit = useDeferredValue(Infinity, FIRST_ENTRIES);
  const actions = useLatest({
    onPoint,
    onPick: (index: number) => {
      const entry = entries[index];
      if (entry !== undefined) onPick(entry);
    },
  });
  const groups = Map.groupBy(
    entries.slice(0, Math.max(limit, current + 1)).map((entry, index) => ({ entry, index })),
    ({ entry }) => entry.group,
  );
  return (
    <div id={id} role="listbox" aria-label="Results">
      {[...groups].map(([group, lines]) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group.replaceAll(" ", "-")}`}>
          <div
            id={`${id}-${group.replaceAll(" ", "-")}`}
            className="px-2 pt-2 pb-1 text-xs font-semibold text-text-3"
          >
            {group}
          </div>
          {lines.map(({ entry, index }) => (
            <Option
              key={entry.id}
              id={`${id}-${index}`}
              index={index}
              isChosen={index === current}
              actions={actions}
              entryId={entry.id}
              label={entry.label}
              mark={entry.mark}
              prefix={entry.prefix}
              detail={entry.detail}
              state={entry.state}
              keys={entry.keys}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

type OptionProps = {
  id: string;
  index: number;
  isChosen: boolean;
  /** Stable functions, so that an option renders again only when it changes. */
  actions: { onPoint: (index: number) => void; onPick: (index: number) => void };
  entryId: string;
} & Pick<PaletteEntry, "label" | "mark" | "prefix" | "detail" | "state" | "keys">;

const Option = memo(function Option(props: OptionProps) {
  const { id, index, isChosen, actions, entryId, label, mark, prefix, detail, state, keys } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input has the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      onPointerMove={isChosen ? undefined : () => actions.onPoint(index)}
      onClick={() => actions.onPick(index)}
      className="flex min-h-9 cursor-pointer scroll-my-12 items-center gap-2 rounded-md px-2 py-1 aria-selected:bg-selected"
    >
      {mark ? <HitMark kind={mark} /> : <CommandMark id={entryId.replace(/^command-/, "")} />}
      {prefix !== undefined && <ItemKey>{prefix}</ItemKey>}
      <span dir="auto" className="min-w-0 flex-1 truncate" title={label}>
        {label}
        {detail && <span className="ms-2 text-text-3">{detail}</span>}
      </span>
      {state && <span className="shrink-0 text-sm text-text-3">{state}</span>}
      {keys !== undefined && <Kbd silent keys={keys} className="text-text-3" />}
    </div>
  );
});
