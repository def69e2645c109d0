/** Other words for commands, by id. People type the word of the product that they used before. */
const SYNONYMS: Record<string, string> = {
  newIssue: "bug task ticket story create add feature",
  newReport: "bug feedback create add",
  "new-project": "create add",
  "new-epic": "create add milestone",
  goHome: "start dashboard",
  goInbox: "notifications mentions",
  goTriage: "reports feedback queue",
  goErrors: "exceptions crashes sentry",
  goBoard: "kanban lanes columns",
  goList: "tickets tasks backlog",
  goMine: "assigned to me",
  goSprint: "iteration cycle planning",
  goEpics: "milestones roadmap",
  goSettings: "preferences configuration members labels lanes tokens",
  profile: "account settings preferences password picture name tokens",
  preferences: "email alerts mute settings",
  "all-errors": "exceptions crashes",
  "theme-dark": "night mode appearance",
  "theme-light": "day mode appearance",
  "density-comfortable": "density spacing display",
  "density-dense": "density compact spacing display",
  "theme-system": "automatic mode appearance",
  invite: "invitations add new people users members team",
  workspace: "people users members invitations roles teams mail administration",
  reference: "rest http endpoints openapi swagger documentation docs",
  overview: "project dashboard home",
  "sign-out": "log out logout exit quit",
  help: "keys hotkeys bindings",
  undo: "revert back",
  resolve: "close fix done finish",
  reopen: "restore",
  dismiss: "close hide mute",
  lane: "status state column close done reopen move",
  label: "tags",
  assign: "owner",
  assignMe: "take mine",
  star: "bookmark pin",
  "save-view": "filter bookmark favorite",
};

const WHOLE = 0;
const BEGINNING = 1;
const WORDS = 2;
const INSIDE = 3;
const SYNONYM = 4;

/** How well a command matches the typed text, 0 being best; undefined if a typed word is nowhere in it. */
export function matchOf(id: string, label: string, text: string): number | undefined {
  const typed = text.toLowerCase().trim();
  if (typed === "") return WHOLE;
  const name = label.toLowerCase();
  if (name === typed) return WHOLE;
  if (name.startsWith(typed)) return BEGINNING;
  const words = typed.split(/\s+/);
  const labelWords = name.split(/[^\p{L}\p{N}]+/u);
  const begins = (among: readonly string[], word: string) => among.some((one) => one.startsWith(word));
  if (words.every((word) => begins(labelWords, word))) return WORDS;
  if (words.every((word) => name.includes(word))) return INSIDE;
  const all = [...labelWords, ...(SYNONYMS[id.replace(/^(workspace|invite)-.*/, "$1")] ?? "").split(" ")];
  return words.every((word) => begins(all, word)) ? SYNONYM : undefined;
}

/** Sorts by match. Groups stay together, the one with the best match first, because the palette shows them together. */
export function byMatch<Entry extends { group: string }>(
  entries: readonly { entry: Entry; match: number }[],
): Entry[] {
  const groups = Map.groupBy(entries, ({ entry }) => entry.group);
  const best = (group: readonly { match: number }[]) => Math.min(...group.map(({ match }) => match));
  return [...groups.values()]
    .toSorted((a, b) => best(a) - best(b))
    .flatMap((group) => group.toSorted((a, b) => a.match - b.match).map(({ entry }) => entry));
}
