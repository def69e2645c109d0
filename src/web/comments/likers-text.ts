const MAX_NAMED = 10;

/** "You, Ada Moss and Ben Sato like this". undefined if nobody does. */
export function likersText(others: readonly string[], me: boolean): string | undefined {
  const all = [...(me ? ["You"] : []), ...others];
  if (all.length === 0) return undefined;
  const more = all.length - MAX_NAMED;
  const named = more > 0 ? [...all.slice(0, MAX_NAMED), `${more} more`] : all;
  const last = named.at(-1) ?? "";
  const list = named.length === 1 ? last : `${named.slice(0, -1).join(", ")} and ${last}`;
  return `${list} ${all.length === 1 && !me ? "likes" : "like"} this`;
}
