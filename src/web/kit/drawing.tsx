/** Paths in the order in which they are drawn. `outline` and `solid` cover what is behind them. */
type Paths = { faint?: string; outline?: string; detail?: string; solid?: string; accent?: string };

/** Each is 160 by 96. */
const DRAWINGS = {
  // A signal at clear beside an empty track.
  queue: {
    faint:
      "M8 84h144M8 76h144M20 72v16M36 72v16M52 72v16M68 72v16M84 72v16M100 72v16M116 72v16M132 72v16M148 72v16",
    outline: "M76 84V16h8v68M70 84h20M78 16v-4h4v4",
    solid: "M84 22l30-14 4 8-30 14zM66 24a5 5 0 1 0 .1 0",
  },
  // A trace of events on a page.
  errors: {
    detail: "M42 24h28M42 32h18",
    outline: "M32 12h96a4 4 0 0 1 4 4v60a4 4 0 0 1-4 4H32a4 4 0 0 1-4-4V16a4 4 0 0 1 4-4z",
    solid: "M112 46a6 6 0 1 0 .1 0",
    accent: "M40 58h22l6-14 10 26 8-18 6 6h14",
  },
  // Three lanes; a card moves to the second.
  board: {
    faint: "M16 12h36v72H16zM62 12h36v72H62zM108 12h36v72h-36zM22 20h14M68 20h14M114 20h14",
    outline: "M22 28h24v14H22zM22 48h24v14H22zM114 28h24v14h-24z",
    solid: "M67 34l24-5 3 14-24 5z",
  },
  // Rows with their state.
  issues: {
    detail: "M56 23h58M56 41h40M56 59h52M56 76h34",
    outline:
      "M28 12h104a4 4 0 0 1 4 4v64a4 4 0 0 1-4 4H28a4 4 0 0 1-4-4V16a4 4 0 0 1 4-4zM40 36a5 5 0 1 0 .1 0M40 54a5 5 0 1 0 .1 0M40 71a5 5 0 1 0 .1 0",
    solid: "M40 18a5 5 0 1 0 .1 0",
    accent: "M38 23l1.500 1.500 3-3",
  },
  // A flag at a stop of a line.
  releases: {
    faint: "M8 76h144M20 84h10M130 84h10",
    outline: "M32 71a5 5 0 1 0 .1 0M128 71a5 5 0 1 0 .1 0M80 69a7 7 0 1 0 .1 0",
    solid: "M80 16c12-8 24 8 36 0v24c-12 8-24-8-36 0z",
    accent: "M80 69V12",
  },
  // Work done on its way to the scope.
  sprints: {
    faint: "M28 24h108M28 42h108M28 60h108M28 78L136 24",
    detail: "M28 12v66h108",
    solid: "M98 37a5 5 0 1 0 .1 0",
    accent: "M28 78h14v-8h14v-4h14V54h14v-8h9",
  },
  // Bars of a timeline with a diamond at the end.
  epics: {
    faint: "M16 14h128M40 14v70M72 14v70M104 14v70M136 14v70",
    outline: "M24 26h44a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H24zM44 64h62a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H44z",
    solid: "M32 45h70a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H32zM124 42l9 9-9 9-9-9z",
  },
  // An empty tray.
  inbox: {
    faint: "M12 80h136",
    detail: "M58 26h44M62 36h36",
    outline: "M44 12h72l20 40v24a4 4 0 0 1-4 4H28a4 4 0 0 1-4-4V52z",
    accent: "M24 52h34a22 14 0 0 0 44 0h34",
  },
  // A lens over lines of text.
  search: {
    faint: "M20 20h70M20 34h40M20 48h34M20 62h46M20 76h84",
    outline: "M92 26a22 22 0 1 0 .1 0M108 64l22 20",
    accent: "M84 42a11 11 0 0 1 14-5",
  },
} satisfies Record<string, Paths>;

export type DrawingName = keyof typeof DRAWINGS;

/** A picture for an empty list, in the colors of the theme. The words beside it say the same. */
export function Drawing({ name }: { name: DrawingName }) {
  const { faint, outline, detail, solid, accent }: Paths = DRAWINGS[name];
  return (
    <svg
      aria-hidden
      width={160}
      height={96}
      viewBox="0 0 160 96"
      fill="none"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={faint} className="stroke-line" />
      <path d={outline} className="fill-surface stroke-line-strong" />
      <path d={detail} className="stroke-line-strong" />
      <path d={solid} className="fill-accent-tint stroke-accent" />
      <path d={accent} className="stroke-accent" />
    </svg>
  );
}
