/** How many rows an installation has. Everything else is in proportion to these. */
export type Sizes = { projects: number; groups: number; issues: number; people: number };

/** The small installation; the large one has this many times as much of everything. */
const SMALL: Sizes = { projects: 10, groups: 10_000, issues: 10_000, people: 100 };

const number = (name: string, otherwise: number) => {
  const value = Number(process.env[name] ?? otherwise);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number above 0`);
  return value;
};

export const FACTOR = number("GROWTH_FACTOR", 100);
export const RUNS = number("GROWTH_RUNS", 20);

export const sizesTimes = (factor: number): Sizes => ({
  projects: SMALL.projects * factor,
  groups: SMALL.groups * factor,
  issues: SMALL.issues * factor,
  people: SMALL.people * factor,
});

/** The number of projects of the measured member, in either installation. */
export const OWN_PROJECTS = 10;

/** A group has up to this many kept events besides its newest one, about five on average. */
export const KEPT = 6;
