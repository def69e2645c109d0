import { useNavigate } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { useCommands } from "../keys/commands.ts";
import { useProjects } from "../data/projects/projects.ts";
import { recentProjects } from "../data/projects/recent-projects.ts";
import { Dialog } from "../kit/dialog.tsx";
import { Input } from "../kit/input.tsx";
import { useSettled } from "../kit/use-settled.ts";
import {
  commandEntries,
  type PaletteEntry,
  hitEntries,
  isFound,
  isAction,
  jumpEntries,
  withoutJump,
  projectEntries,
} from "./palette-entries.ts";
import { PaletteList } from "./palette-list.tsx";
import { useAccountCommands } from "./account-commands.ts";
import { searchQuery } from "../data/search.ts";
import { recentProjectEntries } from "./recent-items.ts";
import { useRecentEntries } from "./use-recent-entries.ts";

const MAX_COMMANDS = 8;

/** The command palette: commands of the page, projects, and search results. */
export function Palette({ query, onClose }: { query: string; onClose: () => void }) {
  const [text, setText] = useState(query);
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const navigate = useNavigate();
  const settled = useSettled(text.trim());
  const hits = useQuery(searchQuery({ query: settled }));
  const entries = useEntries(text, hits.data);
  const current = Math.min(chosen, entries.length - 1);
  // Results of the previous text are shown until new ones arrive, but cannot be opened.
  const isStale = settled !== text.trim() || hits.isPlaceholderData;
  const [isEnterPending, setEnterPending] = useState(false);
  const searching = text.trim() !== "" && (hits.isFetching || settled !== text.trim());

  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    if (entry.href !== undefined) void navigate({ href: entry.href });
    // After the dialog has closed, so that the command can move the focus.
    else setTimeout(() => entry.run?.());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setChosen((current + step + entries.length) % entries.length);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      enter();
    }
  };
  const enter = () => {
    const entry = entries[current];
    if (entry && isStale && isFound(entry)) setEnterPending(true);
    else run(entry);
  };
  useEffect(() => {
    if (isEnterPending && !isStale) enter();
  });
  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [current, listId]);

  return (
    <Dialog open bare title="Command palette" size="md" onClose={onClose} initialFocus={input}>
      <div className="sticky -top-1 z-1 -mx-1 bg-surface px-1 pt-3 pb-1">
        <Input
          ref={input}
          icon={Search}
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-activedescendant={entries.length > 0 ? `${listId}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search or run a command…"
          value={text}
          maxLength={255}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
            setEnterPending(false);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <PaletteList id={listId} entries={entries} current={current} onPoint={setChosen} onPick={run} />
      <p role="status" className="px-2 pt-1 text-sm text-text-3">
        {hits.isError && text.trim() !== "" && "Search failed. Try again."}
        {entries.length === 0 && !searching && !hits.isError && "No results."}
        {searching && "Searching…"}
      </p>
    </Dialog>
  );
}

/** Without text: actions, recent items, then other commands. With text: what matches. */
function useEntries(text: string, hits: Parameters<typeof hitEntries>[0] | undefined): PaletteEntry[] {
  const projects = useProjects();
  const current = useCurrentProject();
  const commands = commandEntries([...useCommands(), ...useAccountCommands()], text);
  const recent = [...useRecentEntries(), ...recentProjectEntries(recentProjects(), projects, current?.key)];
  if (text.trim() === "")
    return [...commands.filter(isAction), ...recent, ...commands.filter((entry) => !isAction(entry))];
  const { jump, found } = withoutJump(jumpEntries(text, projects), hitEntries(hits ?? [], projects, text));
  return [...jump, ...commands.slice(0, MAX_COMMANDS), ...projectEntries(projects, text), ...found];
}
