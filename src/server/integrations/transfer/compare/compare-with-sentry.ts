import type { Db } from "../../../db/connect.ts";
import { at } from "../../../ingest/read/coerce.ts";
import type { FetchOptions } from "../fetch-json.ts";
import { openSentryApi, type SentryApi } from "../sentry-api.ts";
import type { Comparison } from "./comparison.ts";
import { findMissingRules } from "./compare-rules.ts";
import { compareGroups, type MatchedGroup } from "./match-groups.ts";
import { findByFingerprint, readRecentGroups } from "./own-groups.ts";
import { readPeerGroups } from "./peer-groups.ts";
import { readPeerRules } from "./peer-rules.ts";

type Options = Pick<FetchOptions, "signal" | "backoffMs"> & {
  projectId: number;
  /** The address of the organization's issues there, and the token that may read them. */
  url: URL;
  token: string | null;
  /** Today (UTC) and the days before. */
  days: number;
  privacyRules: string | null;
  onProgress?: (groups: number) => void;
};

const DAY_MS = 86_400_000;

/** Compares the project with one of a Sentry-compatible server. Throws `ImportError` if that server cannot be read. */
export async function compareWithSentry(db: Db, options: Options): Promise<Comparison> {
  const { projectId, url, token, days, privacyRules, onProgress, ...fetching } = options;
  const api = openSentryApi(url, token, fetching);
  const since = new Date((Math.floor(Date.now() / DAY_MS) - days + 1) * DAY_MS);
  const scope = { projectId, since };
  const there: MatchedGroup[] = [];
  for await (const page of readPeerGroups(api, { since, days, privacyRules })) {
    const own = await findByFingerprint(
      db,
      scope,
      page.map(({ group }) => group),
    );
    there.push(...page.map((peer, place) => ({ ...peer, here: own.get(place) ?? [] })));
    onProgress?.(there.length);
  }
  const groups = compareGroups(there, await readRecentGroups(db, scope));
  const rules = await readPeerRules(api, await readProjectSlugs(api));
  return {
    since: since.toISOString().slice(0, 10),
    ...groups,
    missing_rules: rules && (await findMissingRules(db, projectId, rules)),
  };
}

/** The projects of the address, or all of the organization. */
async function readProjectSlugs(api: SentryApi): Promise<string[]> {
  const ids = new Set(api.query.getAll("project"));
  const slugs: string[] = [];
  for await (const page of api.pages(`organizations/${api.organization}/projects/`))
    for (const project of page) {
      const slug = at(project, "slug");
      const isCompared = ids.size === 0 || ids.has(String(at(project, "id")));
      if (isCompared && typeof slug === "string") slugs.push(slug);
    }
  return slugs;
}
