/** Placeholder rows with the height of the real ones. */
export function Skeleton({
  rows = 6,
  height = 40,
  label = "Loading",
}: {
  rows?: number;
  height?: 40 | 64;
  label?: string;
}) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div aria-hidden>
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="flex items-center gap-3 border-b border-line px-4" style={{ height }}>
            <span className="size-4 rounded-full bg-line" />
            <span className="h-3 rounded-sm bg-line" style={{ width: `${30 + ((index * 37) % 40)}%` }} />
            <span className="ms-auto h-3 w-12 rounded-sm bg-line" />
          </div>
        ))}
      </div>
    </div>
  );
}
