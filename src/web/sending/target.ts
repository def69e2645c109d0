import type { IngestKey } from "../../shared/ingest-keys.ts";

/** Where an app sends to. */
export type IngestDestination = {
  dsn: string;
  url: string;
  key: string;
  project: { id: number; key: string };
};

/** The address of this server as apps know it, and a placeholder for people who cannot read the keys. */
export function ingestDestinationOf(
  project: IngestDestination["project"],
  key: IngestKey | undefined,
): IngestDestination {
  if (key) return { dsn: key.dsn, url: new URL(key.dsn).origin, key: key.key, project };
  const { protocol, host, origin } = location;
  const placeholder = "YOUR_INGEST_KEY";
  return { dsn: `${protocol}//${placeholder}@${host}/${project.id}`, url: origin, key: placeholder, project };
}
