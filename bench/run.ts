import { benchExport } from "./export.ts";
import { benchFeedback } from "./feedback.ts";
import { benchGrowth } from "./growth/growth.ts";
import { benchIdle } from "./idle.ts";
import { benchImport } from "./import.ts";
import { benchIngest } from "./ingest.ts";
import { benchInstant } from "./instant.ts";
import { benchLimits } from "./limits.ts";
import { benchMonitors } from "./monitors.ts";
import { benchNotifications } from "./notifications.ts";
import { benchOtlp } from "./otlp.ts";
import { benchReads } from "./reads.ts";
import { benchReports } from "./reports.ts";
import { benchSearch } from "./search.ts";
import { benchSentry } from "./sentry.ts";
import { benchSessions } from "./sessions.ts";
import { benchSimilar } from "./similar.ts";
import { benchSourceMaps } from "./source-maps.ts";
import { benchStart } from "./start.ts";
import { benchSteps } from "./steps.ts";
import { benchStorm } from "./storm.ts";
import { benchTraces } from "./traces.ts";
import { benchTrickle } from "./trickle.ts";
import { benchWarmStart } from "./warm-start.ts";
import { benchWeb } from "./web.ts";

/** `npm run bench -- [export|feedback|growth|idle|import|ingest|instant|limits|monitors|otlp|reads|notifications|reports|search|sentry|sessions|similar|source-maps|start|steps|storm|traces|trickle|warm-start|web]`; see README.md. */
const BENCHES: Record<string, () => Promise<void>> = {
  export: benchExport,
  feedback: benchFeedback,
  growth: benchGrowth,
  idle: benchIdle,
  import: benchImport,
  ingest: benchIngest,
  instant: benchInstant,
  limits: benchLimits,
  monitors: benchMonitors,
  reads: benchReads,
  notifications: benchNotifications,
  otlp: benchOtlp,
  reports: benchReports,
  search: benchSearch,
  sentry: benchSentry,
  sessions: benchSessions,
  similar: benchSimilar,
  "source-maps": benchSourceMaps,
  start: benchStart,
  steps: benchSteps,
  storm: benchStorm,
  traces: benchTraces,
  trickle: benchTrickle,
  "warm-start": benchWarmStart,
  web: benchWeb,
};

/** It takes half an hour and 15 GB, so it runs only if it is named. */
const LARGE = "growth";

const selected = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHES))
  if (selected.length === 0 ? name !== LARGE : selected.includes(name)) await bench();
