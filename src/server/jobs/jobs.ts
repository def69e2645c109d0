import type pg from "pg";
import type { Logger } from "pino";
import { deleteOldAnswers } from "../idempotency/delete-old-answers.ts";
import { deleteForgottenDevices } from "../account/devices/delete-forgotten-devices.ts";
import { deleteExpiredSessions } from "../account/sessions/delete-expired-sessions.ts";
import { deleteOldDraftFiles } from "../attachments/draft-files.ts";
import type { BackupSettings } from "../config/backup-settings.ts";
import type { Db } from "../db/connect.ts";
import { removeDeletedFiles } from "../files/storage/remove-deleted-files.ts";
import type { Storage } from "../files/storage/storage.ts";
import { sweepFiles } from "../files/storage/sweep-files.ts";
import { combineOpenCounts } from "../home/combine-open-counts.ts";
import type { RateLimiter } from "../limits/rate-limit.ts";
import type { Intake } from "../ingest/pipeline.ts";
import { deleteOldCheckIns } from "../monitors/watch/delete-old-check-ins.ts";
import { findDue } from "../monitors/watch/find-due.ts";
import { performEffects } from "../monitors/watch/perform-effects.ts";
import { openServerRun } from "../monitors/watch/server-run.ts";
import { deleteOldEventIds } from "../ingest/store/delete-old-event-ids.ts";
import { checkThresholds } from "../integrations/alert-rules/check-thresholds.ts";
import { deleteOldFirings } from "../integrations/alert-rules/delete-old-firings.ts";
import { performActions } from "../integrations/alert-rules/perform-actions.ts";
import { fireForReports } from "../integrations/alert-rules/report-rules.ts";
import { findSpikes } from "../errors/groups/find-spikes.ts";
import { deleteOldDeliveries } from "../integrations/webhooks/deliver/delete-old-deliveries.ts";
import type { WebhookDelivery } from "../integrations/webhooks/deliver/webhook-delivery.ts";
import { indexLocations } from "../errors/groups/location-index.ts";
import { indexMessages } from "../errors/groups/message-index.ts";
import { rankGroups } from "../errors/groups/rank-groups.ts";
import { indexTags } from "../errors/groups/tag-index.ts";
import { indexTagTimes } from "../errors/groups/tag-times.ts";
import { verifyFixes } from "../errors/groups/verify-fixes.ts";
import { deleteOldSessions } from "../errors/releases/health/delete-old-sessions.ts";
import { notifyDoneReports } from "../errors/releases/notify-done-reports.ts";
import { deleteOldGitRows } from "../integrations/git/delete-old.ts";
import { deleteOldImportFiles, runImports } from "../integrations/transfer/import/runs/run-imports.ts";
import { deleteOldOauthRows } from "../integrations/agents/oauth/delete-old-oauth-rows.ts";
import { processDeliveries } from "../integrations/git/process-deliveries.ts";
import { deleteUsedChallenges } from "../reports/form/use-challenge.ts";
import { writeTerms } from "../reports/similar/write-terms.ts";
import { renumberLongQueues } from "../reports/queue.ts";
import { createPartitions } from "../errors/retention/event-partitions.ts";
import { runRetention } from "../errors/retention/retention.ts";
import { deleteOldChanges } from "../live/change-log.ts";
import type { MailDelivery } from "../mail/delivery.ts";
import type { PushDelivery } from "../push/push-delivery.ts";
import { deleteOldArtifacts } from "../source-maps/artifacts/delete-old-artifacts.ts";
import { deleteOldChunks } from "../source-maps/sentry-clients/chunks.ts";
import { deleteOldMails } from "../mail/outbox.ts";
import { deleteOldAuditEvents } from "../people/audit-log/delete-old-audit-events.ts";
import { endDueSnoozes } from "../errors/groups/end-snoozes.ts";
import type { ReadFrames } from "../errors/groups/routes.ts";
import { tellOfReleases } from "../integrations/webhooks/tell-of-releases.ts";
import { deleteHiddenRows } from "../people/deletions/delete-batches.ts";
import { reopenRegressedIssues } from "../work/issues/reopen-regressed.ts";
import { renumberLongLanes } from "../work/issues/renumber-lanes.ts";
import {
  dailyAt,
  everyFiveMinutes,
  everyMinute,
  everyTenSeconds,
  hourlyAt,
  type Job,
  type ScheduledJob,
} from "./job.ts";
import { mailJobs } from "./mail-jobs.ts";

type Dependencies = {
  db: Db;
  /** Allows its statements more time than requests get. */
  pool: pg.Pool;
  limiter: RateLimiter;
  storage: Storage;
  delivery: MailDelivery;
  pushes: PushDelivery;
  webhooks: WebhookDelivery;
  retentionDays: number;
  readFrames: ReadFrames;
  /** What storing events needs; created when it is first needed. */
  intake: () => Intake;
  publicUrl: () => string;
  backup: BackupSettings | undefined;
  /** A backup uses connections of its own, without timeouts. */
  databaseUrl: string;
  log: Logger;
};

/** Every background job of the product. */
export const listJobs = (dependencies: Dependencies): Job[] => [
  ...cleanUpJobs(dependencies),
  ...backupJobs(dependencies),
  ...mailJobs(dependencies.db, dependencies.delivery, { retentionDays: dependencies.retentionDays }),
  {
    name: "regressed-issues",
    pauseMs: 1_000,
    condition: "exists (select from issue_regressions)",
    work: (signal) => reopenRegressedIssues(dependencies.db, signal),
  },
  {
    name: "git-deliveries",
    pauseMs: 1_000,
    condition: "exists (select from git_deliveries where processed_at is null)",
    work: (signal) => processDeliveries(dependencies.db, signal),
  },
  {
    name: "imports",
    pauseMs: 1_000,
    condition: "exists (select from imports where state in ('checking', 'importing'))",
    work: (signal) => runImports(dependencies, signal),
  },
  {
    name: "pushes",
    pauseMs: 1_000,
    condition: "exists (select from push_messages where due_at <= clock_timestamp())",
    work: (signal) => dependencies.pushes.deliver(signal),
  },
  {
    name: "new-releases",
    pauseMs: 1_000,
    condition: "exists (select from new_releases)",
    work: (signal) => tellOfReleases(dependencies.db, signal),
  },
  {
    name: "webhooks",
    pauseMs: 1_000,
    condition: "exists (select from webhook_deliveries where next_attempt_at is not null)",
    work: (signal) => dependencies.webhooks.deliver(signal),
  },
  ...alertJobs(dependencies),
  ...monitorJobs(dependencies),
  {
    name: "done-reports",
    pauseMs: 5_000,
    work: (signal) => notifyDoneReports(dependencies.db, signal),
  },
  {
    name: "snoozes",
    pauseMs: 5_000,
    condition: "exists (select from error_groups where snooze_ends_at <= clock_timestamp() and status = 2)",
    work: () => endDueSnoozes(dependencies.db),
  },
  {
    name: "deletions",
    pauseMs: 1_000,
    condition: `exists (select from deletions
      where finished_at is null and (restorable_until is null or restorable_until <= clock_timestamp()))`,
    work: (signal) => deleteHiddenRows(dependencies.pool, signal),
  },
];

function alertJobs({ db, retentionDays, readFrames, publicUrl }: Dependencies): Job[] {
  return [
    {
      name: "alert-actions",
      pauseMs: 1_000,
      condition: "exists (select from alert_actions)",
      work: (signal) => performActions(db, { retentionDays, publicUrl, readFrames, signal }),
    },
    {
      name: "report-alerts",
      pauseMs: 5_000,
      condition: `exists (select from new_reports)
        or exists (select from alert_rules where active and kind = 'report_waiting')`,
      work: (signal) => fireForReports(db, { retentionDays, signal }),
    },
    { name: "alert-thresholds", pauseMs: 10_000, work: () => checkThresholds(db, { retentionDays }) },
    { name: "old-alert-firings", schedule: hourlyAt(21), work: () => deleteOldFirings(db) },
  ];
}

function monitorJobs({ db, intake }: Dependencies): Job[] {
  const recordRun = openServerRun(db);
  return [
    { name: "monitor-clock", pauseMs: 10_000, work: recordRun },
    { name: "monitors", schedule: everyTenSeconds, work: (signal) => findDue(db, recordRun, signal) },
    {
      name: "monitor-events",
      pauseMs: 1_000,
      condition: "exists (select from monitor_check_ins where effect is not null)",
      work: (signal) => performEffects(db, intake, signal),
    },
    { name: "old-check-ins", schedule: dailyAt(5, 27), work: (signal) => deleteOldCheckIns(db, signal) },
  ];
}

function backupJobs({ databaseUrl: url, storage, backup: settings, log }: Dependencies): ScheduledJob[] {
  if (settings?.schedule === undefined) return [];
  const progress = { update: () => {}, end: () => {} };
  const work = async (signal: AbortSignal) => {
    const { backUpToPlace } = await import("../commands/backup/back-up-to-place.ts");
    const warn = (message: string) => log.warn(message);
    const made = await backUpToPlace({ settings, url, storage, progress, warn, signal });
    const { destination, rows, files, missing, bytes } = made;
    log.info({ destination, rows, files, bytes }, "a backup was made");
    if (missing.length > 0)
      log.error({ missing: missing.length }, "the backup lacks missing or damaged files");
  };
  return [{ name: "backup", schedule: settings.schedule, work }];
}

function cleanUpJobs(of: Dependencies): ScheduledJob[] {
  return [...retentionJobs(of), ...deletionJobs(of), ...indexJobs(of)];
}

function retentionJobs({ db, pool, storage, retentionDays, log }: Dependencies): ScheduledJob[] {
  return [
    {
      name: "retention",
      schedule: dailyAt(3, 17),
      atStart: true,
      work: async (signal) => {
        const { message, ...result } = await runRetention(pool, retentionDays, { signal });
        log[result.outcome === "done" ? "info" : "warn"](result, message);
      },
    },
    { name: "old-import-files", schedule: hourlyAt(37), work: () => deleteOldImportFiles(db) },
    {
      name: "event-partitions",
      schedule: dailyAt(2, 47),
      atStart: true,
      work: () => createPartitions(pool),
    },
    {
      name: "file-sweep",
      schedule: dailyAt(3, 47),
      atStart: true,
      work: async (signal) => {
        const { message, ...result } = await sweepFiles(db, storage, Date.now(), signal);
        if (result.outcome === "refused" || result.removed > 0) log.warn(result, message);
      },
    },
  ];
}

function deletionJobs({ db, limiter, storage, retentionDays }: Dependencies): ScheduledJob[] {
  return [
    {
      name: "old-mails",
      schedule: dailyAt(3, 37),
      work: (signal) => deleteOldMails(db, retentionDays, signal),
    },
    { name: "old-audit-events", schedule: dailyAt(4, 7), work: (signal) => deleteOldAuditEvents(db, signal) },
    { name: "old-sessions", schedule: dailyAt(4, 27), work: (signal) => deleteExpiredSessions(db, signal) },
    { name: "old-app-tokens", schedule: dailyAt(5, 37), work: (signal) => deleteOldOauthRows(db, signal) },
    { name: "old-devices", schedule: dailyAt(4, 37), work: (signal) => deleteForgottenDevices(db, signal) },
    { name: "old-draft-files", schedule: dailyAt(4, 47), work: (signal) => deleteOldDraftFiles(db, signal) },
    {
      name: "file-deletions",
      schedule: everyFiveMinutes,
      work: (signal) => removeDeletedFiles(db, storage, signal),
    },
    { name: "old-source-maps", schedule: dailyAt(4, 57), work: (signal) => deleteOldArtifacts(db, signal) },
    { name: "old-deliveries", schedule: dailyAt(5, 7), work: (signal) => deleteOldDeliveries(db, signal) },
    { name: "old-git-rows", schedule: dailyAt(5, 17), work: (signal) => deleteOldGitRows(db, signal) },
    {
      name: "old-release-sessions",
      schedule: dailyAt(5, 27),
      work: (signal) => deleteOldSessions(db, signal),
    },
    { name: "old-chunks", schedule: hourlyAt(51), work: (signal) => deleteOldChunks(db, signal) },
    { name: "old-answers", schedule: hourlyAt(11), work: (signal) => deleteOldAnswers(db, signal) },
    { name: "old-event-ids", schedule: hourlyAt(41), work: (signal) => deleteOldEventIds(db, signal) },
    { name: "old-changes", schedule: everyFiveMinutes, work: (signal) => deleteOldChanges(db, signal) },
    { name: "used-challenges", schedule: everyFiveMinutes, work: () => deleteUsedChallenges(db) },
    { name: "rate-limits", schedule: everyFiveMinutes, work: () => limiter.sweep() },
  ];
}

/** What is derived from other rows and brought up to date in the background. */
function indexJobs({ db }: Dependencies): ScheduledJob[] {
  return [
    { name: "verified-fixes", schedule: everyFiveMinutes, work: (signal) => verifyFixes(db, signal) },
    { name: "spikes", schedule: everyMinute, work: () => findSpikes(db) },
    { name: "error-group-rankings", schedule: everyFiveMinutes, work: (signal) => rankGroups(db, signal) },
    { name: "error-group-tags", schedule: everyMinute, work: (signal) => indexTags(db, signal) },
    { name: "error-group-tag-times", schedule: everyMinute, work: (signal) => indexTagTimes(db, signal) },
    { name: "error-group-messages", schedule: everyMinute, work: (signal) => indexMessages(db, signal) },
    { name: "error-group-locations", schedule: everyMinute, work: (signal) => indexLocations(db, signal) },
    { name: "similar-terms", schedule: everyMinute, work: (signal) => writeTerms(db, signal) },
    { name: "open-counts", schedule: everyMinute, work: () => combineOpenCounts(db) },
    { name: "report-ranks", schedule: everyFiveMinutes, work: () => renumberLongQueues(db) },
    { name: "issue-ranks", schedule: hourlyAt(29), work: () => renumberLongLanes(db) },
  ];
}
