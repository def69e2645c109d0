import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";

/**
 * The loaded group that the address names for the preview. `groups` are those of all tabs: the preview stays open when
 * someone else resolves its error.
 */
export const findPeeked = (
  groups: readonly ErrorGroupListItem[],
  peek: string | undefined,
): ErrorGroupListItem | undefined => groups.find(({ id }) => String(id) === peek);

/** Whether a group that is not loaded may be on a later page. Text that is not an id is never requested. */
export const mayBeOnLaterPage = (
  groups: readonly ErrorGroupListItem[],
  peek: string | undefined,
  hasNextPage: boolean,
): boolean => hasNextPage && findPeeked(groups, peek) === undefined && /^[1-9]\d{0,14}$/.test(peek ?? "");
