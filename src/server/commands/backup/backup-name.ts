/** Sorts by time. */
export const backupName = (now: Date): string =>
  `signalbox-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`;

/** Any other file was not written by a scheduled backup and must not be touched. */
export const isBackupName = (name: string): boolean =>
  /^signalbox-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/.test(name);
