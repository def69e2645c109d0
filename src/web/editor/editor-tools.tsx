import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Attaching } from "./attaching.tsx";
import { announce } from "../kit/notices/live-region.ts";
import type { FormatId } from "../keys/format-keys.ts";
import { FORMATS, formatOf } from "./formats.ts";
import { applyState, stateOf, type TakeFiles } from "./insert-text.ts";
import { pasteAddress } from "./inline-edits.ts";
import { continueList, indentItems, outdentItems } from "./list-edits.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import type { TextState } from "./text-state.ts";
import { Toolbar } from "./toolbar.tsx";
import { type Trigger, triggerAt } from "./triggers.ts";
import { type Suggestion, useSuggestions } from "./use-suggestions.ts";

const LIST_NAMES = {
  person: "People",
  report: "Reports",
  issue: "Issues",
  command: "Commands",
  language: "Languages",
} as const;

export type EditorToolsProps = {
  field: HTMLTextAreaElement;
  projectId: number | undefined;
  /** Hides the toolbar, because the preview is shown. */
  hidden: boolean;
  /** Where files are uploaded to, the element for their progress, and what is told how to add files. */
  attach: { path: string; tray: HTMLElement; onReady: (add: TakeFiles) => void } | undefined;
};

/**
 * Toolbar, keys and suggestions of a text field. Works on the field through its events, so that the field can be used
 * before this code is loaded.
 */
export function EditorTools({ field, projectId, hidden, attach }: EditorToolsProps) {
  const listId = useId();
  const { trigger, suggestions, current, look, close, pick, onKey } = useSuggesting(field, projectId);
  /** After Esc, Tab leaves the field even in a list. */
  const tabLeaves = useRef(false);
  const picker = useRef<HTMLInputElement>(null);
  const format = (id: FormatId) => {
    field.focus();
    applyState(field, FORMATS[id](stateOf(field)));
  };
  useFieldEvents(field, {
    keydown: (event) => {
      if (event.isComposing || event.defaultPrevented) return;
      if (onKey(event) || edit(field, event, tabLeaves.current)) {
        event.preventDefault();
        event.stopPropagation();
      }
      if (event.key !== "Tab" && event.key !== "Shift") tabLeaves.current = event.key === "Escape";
    },
    paste: (event) => {
      const next = pasteAddress(stateOf(field), event.clipboardData?.getData("text/plain") ?? "");
      if (next === undefined) return;
      event.preventDefault();
      applyState(field, next);
    },
    input: look,
    select: look,
    blur: () => {
      tabLeaves.current = false;
      close();
    },
  });
  useActiveOption(field, trigger && `${listId}-${current}`, listId);
  const { kind } = trigger ?? {};
  useEffect(() => {
    if (kind !== undefined)
      announce(`${LIST_NAMES[kind]}. Use the arrow keys to choose and Enter to insert.`);
  }, [kind]);

  return (
    <>
      {!hidden && <Toolbar onFormat={format} onAttach={attach && (() => picker.current?.click())} />}
      {attach && <Attaching field={field} picker={picker} {...attach} />}
      {trigger &&
        field.parentElement !== null &&
        createPortal(
          <SuggestionList
            id={listId}
            label={LIST_NAMES[trigger.kind]}
            field={field}
            from={trigger.from}
            suggestions={suggestions}
            chosen={current}
            onPick={pick}
          />,
          field.parentElement,
        )}
    </>
  );
}

/** The suggestions for what stands before the caret. `trigger` is null while there are none. */
function useSuggesting(field: HTMLTextAreaElement, projectId: number | undefined) {
  const [trigger, setTrigger] = useState<Trigger | null>(null);
  const [chosen, setChosen] = useState(0);
  const { suggestions, isKey } = useSuggestions(projectId, trigger);
  const count = suggestions.length;
  const current = Math.min(chosen, count - 1);
  /** Where the suggestions were closed by Esc. */
  const dismissed = useRef<number>(undefined);
  const close = () => setTrigger(null);

  const look = () => {
    const { text, start, end } = stateOf(field);
    const found = start === end && document.activeElement === field ? triggerAt(text, start, isKey) : null;
    if (found?.from !== dismissed.current) dismissed.current = undefined;
    const next = dismissed.current === undefined ? found : null;
    if (next?.query !== trigger?.query || next?.from !== trigger?.from) setChosen(0);
    if (JSON.stringify(next) !== JSON.stringify(trigger)) setTrigger(next);
  };
  const pick = (suggestion: Suggestion) => {
    field.focus();
    if (suggestion.apply === undefined) return;
    const next = suggestion.apply(stateOf(field));
    if (next !== undefined) applyState(field, next);
    close();
  };
  /** Returns whether the key was for the suggestions. */
  const onKey = (event: KeyboardEvent) => {
    const suggestion = suggestions[current];
    if (trigger === null || suggestion === undefined) return false;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "ArrowDown") setChosen((current + 1) % count);
    else if (event.key === "ArrowUp") setChosen((current + count - 1) % count);
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && suggestion.apply)
      pick(suggestion);
    else if (event.key === "Escape") {
      dismissed.current = trigger.from;
      close();
    } else return false;
    return true;
  };
  return { trigger: count > 0 ? trigger : null, suggestions, current, look, close, pick, onKey };
}

/** Edits the text if the key does so, and returns whether it did. */
function edit(field: HTMLTextAreaElement, event: KeyboardEvent, tabLeaves: boolean): boolean {
  const apply = (next: TextState | undefined) => {
    if (next !== undefined) applyState(field, next);
    return next !== undefined;
  };
  const state = stateOf(field);
  const id = formatOf(event);
  if (id !== undefined) {
    // The palette has the same key.
    if (id === "link" && state.start === state.end) return false;
    return apply(FORMATS[id](state));
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Enter" && !event.shiftKey) return apply(continueList(state));
  if (event.key === "Tab" && !tabLeaves) {
    const isMoved = apply(event.shiftKey ? outdentItems(state) : indentItems(state));
    if (isMoved)
      announce(event.shiftKey ? "Outdented" : "Indented. Press Escape, then Tab to leave the field.");
    return isMoved;
  }
  return false;
}

type FieldEvents = {
  keydown: (event: KeyboardEvent) => void;
  paste: (event: ClipboardEvent) => void;
  input: () => void;
  select: () => void;
  blur: () => void;
};

/** Calls the latest listeners. */
function useFieldEvents(field: HTMLTextAreaElement, listeners: FieldEvents) {
  const latest = useRef(listeners);
  useEffect(() => {
    latest.current = listeners;
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    field.addEventListener("keydown", (event) => latest.current.keydown(event), { signal });
    field.addEventListener("paste", (event) => latest.current.paste(event), { signal });
    field.addEventListener("input", () => latest.current.input(), { signal });
    field.addEventListener("blur", () => latest.current.blur(), { signal });
    // The `select` event is not sent when only the caret moves.
    const onSelection = () => document.activeElement === field && latest.current.select();
    document.addEventListener("selectionchange", onSelection, { signal });
    // Something may have been typed while this code was loading.
    latest.current.select();
    return () => stop.abort();
  }, [field]);
}

/** Tells screen readers which option of a list the field is on; null while the list is closed. */
function useActiveOption(field: HTMLTextAreaElement, optionId: string | null, listId: string) {
  useEffect(() => {
    if (optionId === null) return;
    field.setAttribute("aria-controls", listId);
    field.setAttribute("aria-activedescendant", optionId);
    return () => {
      field.removeAttribute("aria-controls");
      field.removeAttribute("aria-activedescendant");
    };
  }, [field, listId, optionId]);
}
