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
