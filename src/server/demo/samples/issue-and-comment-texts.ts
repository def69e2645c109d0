import type { Random } from "./seeded-random.ts";

const FEATURES = [
  "Show stock per store", "Remember the last selection", "Add a printable summary", "Lazy-load images",
  "Add undo for removed items", "Show the delivery date", "Explain validation errors", "Keep the scroll position",
  "Add keyboard shortcuts", "Translate the empty state into Dutch", "Group entries by month", "Add a copy link button",
  "Warn about unsaved changes", "Allow multiple photos", "Show the change history", "Sort by distance",
]; // oxfmt-ignore

const BUGS = [
  "Wrong total after a reload", "Dates are shown in UTC", "Second tap on the button does nothing", "Text overlaps at 200% zoom",
  "List jumps while loading", "Umlauts are garbled", "Endless spinner while offline", "Price doesn't update after applying a voucher",
  "Back button goes back two pages", "Focus is lost after closing the dialog", "Duplicate entries after a retry", "Blank page for new accounts",
]; // oxfmt-ignore

const WHY = [
  "Support gets about ten questions a week about this.",
  "Two of five participants in last week's usability test got stuck here.",
  "The stores have asked for this in each of the last three quarterly reviews.",
  "This is the most common reason why customers call the workshop.",
  "We promised this for the fall sale.",
];

const BODIES = [
  "## To do\n\n- [x] Agree on the wording with support\n- [ ] Build it behind a feature flag\n- [ ] Pilot it with the Utrecht store\n\n## Out of scope\n\nThe old tablet layout, which we remove in spring.",
  "1. Sign in and open the page\n2. Change something twice, quickly\n3. Reload\n\n**Expected:** the second change.\n**Actual:** the first one.",
  'The service returns `409 Conflict` here:\n\n```json\n{ "message": "The cart has changed.", "version": 14 }\n```\n\nThe page should reload the cart and show a message instead of retrying forever.',
  "| Device | Now | Target |\n|---|---|---|\n| Phone | 3.9 s | 2 s |\n| Laptop | 1.4 s | 1 s |\n\nMeasured with throttling set to slow 4G.",
  "See the mockup from the last design review. Use the existing colors and spacing.",
];

/** Titles and descriptions for `count` issues. Titles repeat only after all combinations have been used. */
export function issueTexts(
  screens: string[],
  count: number,
  random: Random,
): { title: string; description: string; type: 0 | 1 }[] {
  const titled = (starts: string[], type: 0 | 1) =>
    starts.flatMap((start) => screens.map((screen) => ({ title: `${start} ${screen}`, type })));
  const all = random.shuffled([...titled(FEATURES, 0), ...titled(BUGS, 1)]);
  return Array.from({ length: count }, (_, index) => ({
    ...(all[index % all.length] as (typeof all)[number]),
    description: `${random.pick(WHY)}\n\n${random.pick(BODIES)}`,
  }));
}

/** Texts of root comments. `{name}` is replaced by a username. */
export const COMMENTS = [
  "I can take this one. @{name}, is the wording from last week still current?",
  "Saw this again today on the tablet at the counter, so it's not just the old browser.",
  "Found the cause: the cache key doesn't include the user, so everyone gets the first user's response.",
  "@{name} could you check how the workshop handles this? I think they have a list.",
  "I looked into it. There are two options:\n\n1. Do it on the server and leave the page as it is\n2. Do it in the client and save a request\n\nI'd go with the first one.",
  "Works on staging. `curl -i https://staging.northwind.example/health` returns the new version.",
  "This affects invoices, so accounting wants to review it first.",
  "How far do we want to take this? A minimal version takes a day, the full version about a week.",
  "Over the last seven days, 412 users were affected and 38 contacted support.",
  "> keep the scroll position\n\nOnly when navigating back, not on reload, right?",
];

export const REPLIES = [
  "Yes, it is.",
  "Let's start with the minimal version and revisit in two weeks.",
  "Agreed. @{name}, please add it to the next sprint.",
  "I checked, and the workshop app has the same problem. Added a note there.",
  "Thanks, that explains the tickets from Monday.",
  "Done, ready for review.",
  "I'd rather not, because the export depends on it.",
  "Good point. I updated the description.",
];

/** Texts of root comments on errors. */
export const ERROR_COMMENTS = [
  "Only on the second attempt, so I suspect the retry.",
  "@{name}, is this from your change of last Thursday?",
  "The supplier confirmed an outage at that time. Let's see whether it comes back.",
  "All of these events are from one customer, who has 1,400 saved bikes.",
  "I can reproduce it: open the page in two tabs, sign out in one and click in the other.",
  "A timeout of two seconds is too short for this call. I'd make it five.",
];

/** Texts of root comments on reports. */
export const REPORT_COMMENTS = [
  "I asked which browser they use.",
  "@{name}, isn't this the same as the report from Monday?",
  "Called them. It also happens after clearing the cache.",
];
