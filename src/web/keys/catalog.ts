/**
 * Every command that has a key: the source for key bindings, palette, tooltips and the `?` sheet. A key is one
 * character or a name (`Escape`, `ArrowUp`), with `mod+` (⌘ or Ctrl), `shift+` or `alt+` before it; `g i` is a
 * sequence. A held key runs its command once, except for commands that only move the cursor (`repeats`).
 */
export const CATALOG = {
  palette: { keys: "mod+k", label: "Open the command palette", group: "Anywhere" },
  search: { keys: "/", label: "Search", group: "Anywhere" },
  help: { keys: "?", label: "Show keyboard shortcuts", group: "Anywhere" },
  sidebar: { keys: "[", label: "Collapse or expand the sidebar", group: "Anywhere" },
  undo: { keys: "mod+z", label: "Undo the last change", group: "Anywhere" },
  newIssue: { keys: "c", label: "New issue", group: "Anywhere" },
  newReport: { keys: "shift+r", label: "New report", group: "Anywhere" },

  goHome: { keys: "g h", label: "Go to home", group: "Go to" },
  goInbox: { keys: "g i", label: "Go to the inbox", group: "Go to" },
  goTriage: { keys: "g t", label: "Go to triage", group: "Go to" },
  goErrors: { keys: "g e", label: "Go to errors", group: "Go to" },
  goReleases: { keys: "g r", label: "Go to the releases", group: "Go to" },
  goMonitors: { keys: "g o", label: "Go to the monitors", group: "Go to" },
  goBoard: { keys: "g b", label: "Go to the board", group: "Go to" },
  goList: { keys: "g l", label: "Go to the issue list", group: "Go to" },
  goMine: { keys: "g m", label: "Go to my issues", group: "Go to" },
  goSprint: { keys: "g v", label: "Go to the sprints", group: "Go to" },
  goEpics: { keys: "g p", label: "Go to the epics", group: "Go to" },
  goSettings: { keys: "g s", label: "Go to the settings", group: "Go to" },

  next: { keys: "j", label: "Next", group: "Lists", repeats: true },
  previous: { keys: "k", label: "Previous", group: "Lists", repeats: true },
  open: { keys: "Enter", label: "Open", group: "Lists" },
  peek: { keys: " ", label: "Peek", group: "Lists" },
  select: { keys: "x", label: "Select", group: "Lists" },
  close: { keys: "Escape", label: "Close or clear the selection", group: "Lists" },
  moveUp: { keys: "alt+ArrowUp", label: "Move up", group: "Lists" },
  moveDown: { keys: "alt+ArrowDown", label: "Move down", group: "Lists" },

  resolve: { keys: "e", label: "Promote, resolve or mark as read", group: "Work" },
  dismiss: { keys: "h", label: "Dismiss or ignore", group: "Work" },
  duplicate: { keys: "d", label: "Mark as a duplicate", group: "Work" },
  reopen: { keys: "u", label: "Reopen, restore or mark as unread", group: "Work" },
  snooze: { keys: "z", label: "Snooze", group: "Work" },
  stopWatching: { keys: "shift+m", label: "Stop watching", group: "Work" },
  remove: { keys: "Backspace", label: "Delete", group: "Work" },
  promote: { keys: "shift+p", label: "Promote to an issue", group: "Work" },
  lane: { keys: "s", label: "Change the lane", group: "Work" },
  priority: { keys: "p", label: "Change the priority", group: "Work" },
  assign: { keys: "a", label: "Assign", group: "Work" },
  assignMe: { keys: "i", label: "Assign to me", group: "Work" },
  label: { keys: "l", label: "Change the labels", group: "Work" },
  print: { keys: "mod+p", label: "Print with all comments", group: "Work" },
} as const satisfies Record<string, { keys: string; label: string; group: string; repeats?: true }>;

export type CommandId = keyof typeof CATALOG;

/** The keys whose commands run again while they are held. */
export const REPEATING: ReadonlySet<string> = new Set(
  Object.values(CATALOG).flatMap((command) => ("repeats" in command ? [command.keys] : [])),
);

const MAC = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);
const NAMES: Record<string, string> = {
  " ": "Space",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Backspace: "⌫",
  Enter: "↵",
};

/** A key's display form: `["⌘", "K"]`, `["G", "I"]`. */
export function keycaps(keys: string, mac = MAC): string[] {
  return keys.split(/(?<=.) (?=.)/).flatMap((stroke) =>
    stroke.split("+").map((part) => {
      if (part === "mod") return mac ? "⌘" : "Ctrl";
      if (part === "shift") return mac ? "⇧" : "Shift";
      if (part === "alt") return mac ? "⌥" : "Alt";
      return NAMES[part] ?? part.toUpperCase();
    }),
  );
}
