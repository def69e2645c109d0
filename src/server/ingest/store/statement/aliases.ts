import { sent } from "./columns.ts";

/** The SQLSTATE of a batch whose aliases are out of date: a fingerprint was merged or split off since it was read. */
export const STALE_ALIAS = "SB001";

/**
 * A condition that fails the statement unless every alias of the batch still belongs to its group. It reads `seen`, so
 * it is evaluated under the locks on the groups.
 */
export const ALIASES_ARE_CURRENT = `
(select count(require_error_group_alias(a.key, s.id)) from ${sent("batch_aliases", "a")} join seen s using (n)) >= 0`;
