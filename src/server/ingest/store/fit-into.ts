/** Bytes. Smaller parts are not cut. */
const MIN_SIZE = 64;

/**
 * Cuts the parts until their JSON takes at most `maxBytes`: repeatedly halves the largest one. Texts and lists keep their
 * beginning, breadcrumbs their end, and objects their small values. `cut` names the parts that were cut.
 */
export function fitInto<Parts extends Record<string, unknown>>(
  maxBytes: number,
  parts: Parts,
): { parts: Parts; cut: string[] } {
  const fitting: Record<string, unknown> = { ...parts };
  const sizes = new Map(Object.entries(parts).map(([name, value]) => [name, sizeOf(value)]));
  const cut = new Set<string>();
  for (;;) {
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const [name, size] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a));
    if (total <= maxBytes || size < MIN_SIZE) return { parts: fitting as Parts, cut: [...cut] };
    const value = halve(fitting[name], name === "breadcrumbs");
    fitting[name] = value;
    sizes.set(name, sizeOf(value));
    cut.add(name);
  }
}

/** Bytes of JSON, including the comma after it. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "null") + 1;

function halve(value: unknown, keepEnd: boolean): unknown {
  if (typeof value === "string") return value.slice(0, value.length >> 1).toWellFormed();
  if (Array.isArray(value)) {
    // A list with one large entry would otherwise vanish.
    const [largest = 0] = value.map((_, index) => index).sort((a, b) => sizeOf(value[b]) - sizeOf(value[a]));
    if (sizeOf(value[largest]) * 2 > sizeOf(value) && sizeOf(value[largest]) > MIN_SIZE * 4)
      return value.with(largest, halve(value[largest], keepEnd));
    const half = value.length >> 1;
    return keepEnd ? value.slice(value.length - half) : value.slice(0, half);
  }
  return typeof value === "object" && value !== null ? halveObject(value) : null;
}

/** Halves the only large value, or drops the largest ones until half of the bytes are left. */
function halveObject(object: object): object {
  const entries = Object.entries(object).map(([key, value]) => ({
    key,
    value,
    size: sizeOf(value) + key.length,
  }));
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const bySize = entries.toSorted((a, b) => b.size - a.size);
  const [largest] = bySize;
  if (largest && largest.size * 2 > total && sizeOf(largest.value) > MIN_SIZE * 4)
    return { ...object, [largest.key]: halve(largest.value, false) };
  const dropped = new Set<string>();
  let left = total;
  for (const { key, size } of bySize) {
    if (left * 2 <= total) break;
    dropped.add(key);
    left -= size;
  }
  return Object.fromEntries(Object.entries(object).filter(([key]) => !dropped.has(key)));
}
