import { ItemKey } from "../lists/item-key.tsx";
import { Kbd } from "../kit/kbd.tsx";
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

/** The entries of the palette by group. The focus stays in the field above, which refers to the active one. */
export function PaletteList({ id, entries, current, onPoint, onPick }: Props) {
  const groups = Map.groupBy(
    entries.map((entry, index) => ({ entry, index })),
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
              entry={entry}
              isChosen={index === current}
              onPoint={() => onPoint(index)}
              onPick={() => onPick(entry)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

type OptionProps = {
  id: string;
  entry: PaletteEntry;
  isChosen: boolean;
  onPoint: () => void;
  onPick: () => void;
};

function Option({ id, entry, isChosen, onPoint, onPick }: OptionProps) {
  const { label, mark, prefix, detail, state, keys } = entry;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input has the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      onPointerMove={isChosen ? undefined : onPoint}
      onClick={onPick}
      className="flex min-h-9 cursor-pointer scroll-my-12 items-center gap-2 rounded-md px-2 py-1 aria-selected:bg-selected"
    >
      {mark ? <HitMark kind={mark} /> : <CommandMark id={entry.id.replace(/^command-/, "")} />}
      {prefix !== undefined && <ItemKey>{prefix}</ItemKey>}
      <span dir="auto" className="min-w-0 flex-1 truncate" title={label}>
        {label}
        {detail && <span className="ms-2 text-text-3">{detail}</span>}
      </span>
      {state && <span className="shrink-0 text-sm text-text-3">{state}</span>}
      {keys !== undefined && <Kbd silent keys={keys} className="text-text-3" />}
    </div>
  );
}
