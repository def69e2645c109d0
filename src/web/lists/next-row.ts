/** The row to go on to when some are gone: the first after `index` that stays, else the last before it. */
export function nextRow<Row extends { id: number }>(
  rows: readonly Row[],
  gone: ReadonlySet<number>,
  index: number,
): Row | undefined {
  const stays = ({ id }: Row) => !gone.has(id);
  return rows.slice(index + 1).find(stays) ?? rows.slice(0, Math.max(0, index)).findLast(stays);
}
