import { type ReactNode, useEffect, useRef } from "react";

/** A place for notices, reachable by F6: from anywhere to the first place that shows something, then the next, then back. */
export function NoticeRegion({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    regions.push(region);
    if (regions.length === 1) document.addEventListener("keydown", onF6);
    return () => {
      regions.splice(regions.indexOf(region), 1);
      if (regions.length === 0) document.removeEventListener("keydown", onF6);
    };
  }, []);
  return (
    <section ref={region} aria-label={label} tabIndex={-1} className={className} data-no-print>
      {children}
    </section>
  );
}

const regions: { current: HTMLElement | null }[] = [];
let cameFrom: Element | null = null;

function onF6(event: KeyboardEvent) {
  if (event.key !== "F6" || event.defaultPrevented) return;
  const shown = regions.flatMap(({ current }) =>
    current !== null && current.querySelector("button") !== null ? [current] : [],
  );
  if (shown.length === 0) return;
  event.preventDefault();
  const here = shown.findIndex((region) => region.contains(document.activeElement));
  if (here === -1) cameFrom = document.activeElement;
  const next = shown[here + 1];
  if (next !== undefined) next.querySelector("button")?.focus();
  else if (cameFrom instanceof HTMLElement) cameFrom.focus();
}
