const STORED = "recent-projects";
const MOST = 8;

/** The keys of the projects opened last on this device, newest first. */
export function recentProjects(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((key): key is string => typeof key === "string") : [];
  } catch {
    return [];
  }
}

/** Those opened last first, then the others by name. */
export function byRecency<T extends { key: string; name: string }>(projects: readonly T[]): T[] {
  const recent = recentProjects();
  const place = (key: string) => (recent.includes(key) ? recent.indexOf(key) : recent.length);
  return projects.toSorted(
    (a, b) => place(a.key) - place(b.key) || a.name.localeCompare(b.name, undefined, { numeric: true }),
  );
}

export function rememberProject(key: string): void {
  try {
    localStorage.setItem(
      STORED,
      JSON.stringify([key, ...recentProjects().filter((k) => k !== key)].slice(0, MOST)),
    );
  } catch {
    // Storage is closed: nothing is remembered.
  }
}
