import { useLayoutEffect, useRef } from "react";
import { store, useStore } from "../state/store.ts";
import { CATALOG, type CommandId, REPEATING } from "./catalog.ts";
import { isTyping, ignoreHeldKeys } from "./ignore-held-keys.ts";
import { isSingleKey, meaningOf, SEQUENCE_MS, strokeOf } from "./strokes.ts";

/** A command that is available now. The palette lists it, and its key runs it. */
export type Command = {
  id: string;
  /** Names the action and its object: "Resolve TimeoutError". */
  label: string;
  keys: string | undefined;
  group: string;
  run: () => void;
};

/** Newest first. The newest binding of an id wins, for example a dialog's Escape over the page's. */
const bound = store<readonly Command[]>([]);
let singleKeys = true;

export function setSingleKeys(on: boolean): void {
  singleKeys = on;
}

/**
 * Binds a command of the catalog while the component is mounted and `enabled`. `label` overrides the catalog's label.
 */
export function useCommand(
  id: CommandId,
  run: () => void,
  options: { label?: string; enabled?: boolean } = {},
) {
  const { label = CATALOG[id].label, enabled = true } = options;
  useBinding({ id, label, keys: CATALOG[id].keys, group: CATALOG[id].group }, run, enabled);
}

/** A command without a key, for the palette only. `id` must be unique on the page. */
export function usePaletteCommand(id: string, label: string, run: () => void, enabled = true) {
  useBinding({ id, label, keys: undefined, group: "Here" }, run, enabled);
}

/** Bound before the frame that shows what the key acts on: other effects run after it, and a key pressed until then would be lost. */
function useBinding(command: Omit<Command, "run">, run: () => void, enabled: boolean) {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  const { id, label, keys, group } = command;
  useLayoutEffect(() => {
    if (!enabled) return;
    const entry: Command = { id, label, keys, group, run: () => latest.current() };
    bound.set([entry, ...bound.get()]);
    return () => bound.set(bound.get().filter((other) => other !== entry));
  }, [id, label, keys, group, enabled]);
}

/** The currently bound commands, each id once. */
export function useCommands(): Command[] {
  const all = useStore(bound);
  return all.filter((command, index) => all.findIndex(({ id }) => id === command.id) === index);
}

/** Installs the single key listener. Returns a function that removes it. */
export function listenKeys(target: Document): () => void {
  const held = ignoreHeldKeys(target);
  let pending: { stroke: string; until: number } | undefined;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    // A sequence is two presses.
    if (event.repeat && pending !== undefined) return;
    const stroke = strokeOf(event);
    // A busy page handles a key later than it was pressed.
    const before = pending && pending.until > event.timeStamp ? pending.stroke : undefined;
    pending = undefined;
    const keys = meaningOf(stroke, before);
    const command = bound.get().find((entry) => entry.keys === keys && mayRun(keys, event));
    if (command) {
      event.preventDefault();
      if (event.repeat && !REPEATING.has(keys)) return;
      if (!REPEATING.has(keys)) held.spend(event);
      command.run();
    } else if (stroke === "g" && singleKeys && !isTyping(event.target))
      pending = { stroke, until: event.timeStamp + SEQUENCE_MS };
  };
  target.addEventListener("keydown", onKey);
  return () => {
    held.stop();
    target.removeEventListener("keydown", onKey);
  };
}

/** Text fields keep their keys; a focused button keeps Enter and Space. */
function mayRun(keys: string, event: KeyboardEvent): boolean {
  const { target } = event;
  if (isClosing(target)) return singleKeys || !isSingleKey(keys);
  // Not even the palette: it would replace the dialog and lose what was typed there.
  if (inLayer(target)) return false;
  // Text fields have an undo of their own.
  if (keys.startsWith("mod+")) return keys !== CATALOG.undo.keys || !isTyping(target);
  if (isTyping(target)) return false;
  if (keys === "Enter" && isControl(target, true)) return false;
  if (keys === " " && isControl(target, false)) return false;
  return singleKeys || !isSingleKey(keys);
}

const isControl = (target: EventTarget | null, linksToo: boolean) =>
  target instanceof HTMLElement &&
  target.closest(`button, input, summary, [role=tab]${linksToo ? ", a" : ""}`) !== null;

/**
 * Dialogs and menus handle their own keys. Between their last control and their first, the focus is on a guard beside them
 * for a moment.
 */
const LAYERS = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [data-base-ui-focus-guard]";
const inLayer = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest(LAYERS) !== null;

/** A popup that fades out has the focus until it returns it. Keys pressed then are meant for the page. */
const isClosing = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("[data-ending-style]") !== null;
