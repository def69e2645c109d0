import type { Random } from "./random.ts";

const FEATURES = [
  "Show stock per branch", "Remember the last choice", "Offer a printable summary", "Load pictures only when they are seen",
  "Let people undo a removal", "Show the delivery day", "Say why a field is refused", "Keep the scroll position",
  "Support keyboard shortcuts", "Translate the empty state into Dutch", "Group entries by month", "Copy a link with one click",
  "Warn before unsaved changes are lost", "Allow several pictures", "Show who changed what", "Sort by distance",
]; // oxfmt-ignore

const BUGS = [
  "Wrong total after a reload", "Dates are shown in UTC", "Button does nothing on the second tap", "Text overlaps at 200 % zoom",
  "List jumps while it loads", "Umlauts are lost", "Spinner never ends without a connection", "Old price stays after a voucher",
  "Back button leaves the page twice", "Focus is lost after closing the dialog", "Duplicate entries after a retry", "Empty page for new accounts",
]; // oxfmt-ignore

const WHY = [
  "Support gets about ten questions a week about this.",
  "Two of the five people we watched last week stopped here.",
  "The branches asked for it in the last three rounds.",
  "It is the most frequent reason for a call to the workshop.",
  "We promised it for the autumn sale.",
];

const BODIES = [
  "## What to do\n\n- [x] Agree on the wording with support\n- [ ] Build it behind a switch\n- [ ] Try it with the Utrecht branch\n\n## Out of scope\n\nThe old tablet layout, which goes away in spring.",
  "1. Open the page as somebody who is signed in\n2. Change something twice, quickly\n3. Reload\n\n**Expected:** the last change.\n**Seen:** the first one.",
  'The service answers `409 Conflict` here:\n\n```json\n{ "message": "The cart has changed.", "version": 14 }\n```\n\nThe page should fetch it again and say so, instead of trying for ever.',
  "| Where | Now | Wanted |\n|---|---|---|\n| Phone | 3.9 s | 2 s |\n| Laptop | 1.4 s | 1 s |\n\nMeasured on the slow office network.",
  "See the sketch in the last design round. Colours and distances are the existing ones; nothing new is needed.",
];

/** Titles and descriptions of `count` issues, no title twice while there are combinations left. */
export function issueTexts(
  places: string[],
  count: number,
  random: Random,
): { title: string; description: string; type: 0 | 1 }[] {
  const titled = (starts: string[], type: 0 | 1) =>
    starts.flatMap((start) => places.map((place) => ({ title: `${start} ${place}`, type })));
  const all = random.shuffled([...titled(FEATURES, 0), ...titled(BUGS, 1)]);
  return Array.from({ length: count }, (_, index) => ({
    ...(all[index % all.length] as (typeof all)[number]),
    description: `${random.pick(WHY)}\n\n${random.pick(BODIES)}`,
  }));
}

/** `{name}` is a colleague. */
export const OPENINGS = [
  "I can take this one. @{name}, is the wording from last week still good?",
  "Seen it again today, on the tablet at the counter. It is not only the old browser.",
  "The cause is the cache: it keeps the answer of whoever came first.",
  "@{name} could you check how the workshop does this? They had a list, I think.",
  "Looked into it for an hour. Two ways:\n\n1. Do it on the server and keep the page as it is\n2. Do it on the page and save a request\n\nI would take the first.",
  "Works on staging. `curl -i https://staging.northwind.example/health` answers with the new version.",
  "This touches the invoice, so the accountants want to see it first.",
  "How far should this go? A small version takes a day, the full one about a week.",
  "Numbers from the last seven days: 412 people were affected, 38 wrote to us.",
  "> keep the scroll position\n\nOnly when coming back, not on a reload, right?",
];

export const REPLIES = [
  "Yes, still good.",
  "Let us take the small version first and look again in two weeks.",
  "Agreed. @{name}, please put it into the next sprint.",
  "Checked: the workshop has the same problem, I added a note there.",
  "Thanks, that explains the tickets from Monday.",
  "Done, it is in the review lane.",
  "I would rather not. The export depends on it.",
  "Good point, I changed the description.",
];
