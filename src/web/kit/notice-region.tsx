import { type FocusEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";

/**
 * A region for messages that F6 reaches: it moves the focus to the first region with content, then to the next, then
 * back. If a focused message disappears, the focus returns to where it was before.
 */
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
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hadFocus.current || region.current?.contains(document.activeElement)) return;
    hadFocus.current = false;
    if (document.activeElement === document.body) giveBack();
  });
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    hadFocus.current = true;
    if (!regions.some(({ current }) => current?.contains(relatedTarget))) cameFrom = relatedTarget;
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notes where the focus came from
    <section
      ref={region}
      aria-label={label}
      tabIndex={-1}
      className={className}
      data-no-print
      onFocus={onFocus}
      onBlur={() => {
        hadFocus.current = false;
      }}
    >
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
  const next = shown[here + 1];
  if (next !== undefined) next.querySelector("button")?.focus();
  else giveBack();
}

function giveBack() {
  const target = cameFrom?.isConnected ? cameFrom : document.getElementById("main");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
