import { useKnownReleases } from "../../data/errors/known-releases.ts";
import { Time } from "../../kit/dates/time.tsx";

const MAX_SHOWN = 5;

type Props = {
  /** null for errors of several projects: no releases are suggested. */
  projectId: number | null;
  /** What was typed. */
  text: string;
  onPick: (release: string) => void;
};

/** The newest releases of the project that contain what was typed. */
export function ReleaseSuggestions({ projectId, text, onPick }: Props) {
  const wanted = text.trim().toLowerCase();
  const found = useKnownReleases(projectId)
    .filter(({ version }) => version.toLowerCase().includes(wanted) && version !== text)
    .slice(0, MAX_SHOWN);
  if (found.length === 0) return null;
  return (
    <ul aria-label="Known releases" className="-mx-2 mt-1 flex flex-col">
      {found.map(({ version, first_seen_at }) => (
        <li key={version}>
          <button
            type="button"
            className="flex h-8 w-full items-center justify-between gap-3 rounded-md px-2 text-start hover:bg-hover"
            onClick={() => onPick(version)}
          >
            <span dir="auto" className="min-w-0 truncate font-medium">
              {version}
            </span>
            {first_seen_at !== null && <Time at={first_seen_at} className="shrink-0 text-sm text-text-3" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
