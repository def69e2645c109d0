/** What another app has shared with the installed one, as `share-worker.js` keeps it. */
export type SharedContent = { title: string; text: string; url: string; files: File[]; leftOut: string[] };

const CACHE = "shared";

/** Pages without HTTPS have no caches. */
const hasCaches = () => "caches" in globalThis;

/** Reads what was shared last; undefined if nothing is kept. */
export async function readShared(): Promise<SharedContent | undefined> {
  if (!hasCaches()) return undefined;
  const about = await (await caches.match("/share/about", { cacheName: CACHE }))?.json();
  if (!isAbout(about)) return undefined;
  const files: File[] = [];
  for (const [index, name] of about.files.entries()) {
    const response = await caches.match(`/share/files/${index}`, { cacheName: CACHE });
    const blob = await response?.blob();
    if (blob) files.push(new File([blob], name, { type: blob.type }));
  }
  const { title, text, url, left_out: leftOut } = about;
  return { title, text, url, files, leftOut };
}

/** Deletes what was shared. `data/sign-out.ts` does the same for the next person. */
export async function forgetShared(): Promise<void> {
  if (hasCaches()) await caches.delete(CACHE).catch(() => false);
}

type About = { title: string; text: string; url: string; files: string[]; left_out: string[] };

const isAbout = (value: unknown): value is About =>
  typeof value === "object" && value !== null && "files" in value;
