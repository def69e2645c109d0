import { useLayoutEffect, useRef } from "react";
import { Avatar } from "../kit/avatar.tsx";
import { cx } from "../kit/cx.ts";
import { placeAtLine } from "../kit/place-at-line.ts";
import { caretLine } from "./caret-line.ts";
import type { Suggestion } from "./use-suggestions.ts";

type Props = {
  id: string;
  label: string;
  field: HTMLTextAreaElement;
  /** Where what is being typed begins. */
  from: number;
  suggestions: readonly Suggestion[];
  chosen: number;
  onPick: (suggestion: Suggestion) => void;
};

/** What can be inserted at the caret. The text field keeps the focus and handles the keys. */
export function SuggestionList({ id, label, field, from, suggestions, chosen, onPick }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (list.current) placeAtLine(list.current, caretLine(field, from));
  });
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="absolute z-50 my-1 w-72 max-w-full overflow-y-auto rounded-md bg-surface py-1 shadow-float forced-colors:border"
    >
      {suggestions.map((suggestion, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are the text field's
        <div
          key={suggestion.id}
          id={`${id}-${index}`}
          ref={index === chosen ? scrollIntoView : null}
          role="option"
          aria-selected={index === chosen}
          aria-disabled={suggestion.apply === undefined}
          className={cx(
            "mx-1 flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2",
            index === chosen && "bg-hover",
          )}
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(suggestion)}
        >
          {suggestion.person && <Avatar person={suggestion.person} size={20} />}
          <span dir="auto" className={cx("truncate", suggestion.apply === undefined && "text-text-3")}>
            {suggestion.label}
          </span>
          {suggestion.hint !== "" && (
            <span className="max-w-1/2 shrink-0 truncate text-sm text-text-3">{suggestion.hint}</span>
          )}
        </div>
      ))}
    </div>
  );
}

const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: "nearest" });
