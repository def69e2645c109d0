import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { useStore } from "../state/store.ts";
import { keepFocus } from "./keep-focus.ts";
import { publishHeight } from "./publish-height.ts";
import { isTitleAway } from "./title-in-view.ts";
import { useFirstFramePainted } from "./use-first-frame-painted.ts";

type Props = {
  /** The page's only `h1`, the last part of the breadcrumb. */
  title: ReactNode;
  /**
   * The page shows its `h1` itself, as a `PageTitle`: here the title is only the last part of the breadcrumb, which a name that
   * is `long` shortens before the links.
   */
  titled?: boolean | "long";
  /** The header of a long page stays at the top of the window. */
  sticky?: boolean;
  /** Shown once the page's `PageTitle` has scrolled away, in a header that is sticky. */
  scrolledTitle?: string;
  /** Breadcrumb links, outermost first, without the page itself. */
  crumbs?: readonly ReactNode[];
  /** Shown beside the title, such as a count. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** The start of the second row. */
  tabs?: ReactNode;
  /** The end of the second row: filters, order and display. */
  tools?: ReactNode;
};

/**
 * The same on every page: breadcrumb and actions in a row of 48 px, tabs and tools in one of 40 px. Tools that may not fit are a
 * `FilterRow`, a `ToolSearch` or have a `TOOL_TEXT`.
 */
export function PageHeader(props: Props) {
  const { title, titled = false, sticky = false, crumbs = NONE, aside, actions, tabs, tools } = props;
  const isAway = useStore(isTitleAway);
  const scrolledTitle = isAway ? props.scrolledTitle : undefined;
  const hasTabs = tabs !== undefined && tabs !== false;
  const hasTools = tools !== undefined && tools !== false;
  return (
    <header
      ref={sticky ? keepFocusInSticky : keepFocus}
      // On a very low screen, such as one at 400 % zoom, it would cover the text.
      className={cx(
        "border-b border-line bg-canvas px-4",
        sticky && "top-(--page-top) z-10 [@media(min-height:30rem)]:sticky print:static",
      )}
    >
      {/* The actions wrap below the title if a word of it would not fit next to them. */}
      <div
        className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 py-1 max-sm:gap-x-2"
        data-header-row
      >
        <div className="flex min-h-8 min-w-0 flex-[1_1_7rem] items-center gap-2">
          <div className="flex min-w-0 items-center gap-1 text-read">
            {crumbs.length > 0 && (
              <Breadcrumb
                crumbs={crumbs}
                className={cx(
                  titled === "long" ? "shrink-0" : "shrink-[9999]",
                  scrolledTitle !== undefined && "max-lg:hidden",
                )}
              />
            )}
            <Title title={title} isHeading={titled === false} />
          </div>
          {aside}
          {scrolledTitle !== undefined && (
            <span
              aria-hidden
              dir="auto"
              className="min-w-0 flex-[1_1_0] truncate font-medium transition-opacity duration-140 starting:opacity-0"
            >
              {scrolledTitle}
            </span>
          )}
        </div>
        {actions !== undefined && (
          <div className={cx("flex flex-wrap items-center gap-2 empty:hidden", NARROW)} data-no-print>
            {actions}
          </div>
        )}
      </div>
      {(hasTabs || hasTools) && <SecondRow tabs={tabs} tools={hasTools && tools} />}
    </header>
  );
}

/** The links to what the page is in. A phone has room for the last one only. */
function Breadcrumb({ crumbs, className }: { crumbs: readonly ReactNode[]; className: string }) {
  return (
    <nav aria-label="Breadcrumb" className={cx("flex min-w-0", className)}>
      <ol className="flex min-w-0 items-center gap-1 text-text-2 max-sm:[&>li:not(:last-child)]:hidden [&_a]:rounded-sm [&_a]:py-1 [&_a:hover]:text-text [&_a:hover]:underline">
        {crumbs.map((crumb, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a path has no order but its own
          <li key={index} className="flex min-w-0 items-center gap-1">
            <span dir="auto" className="max-w-48 min-w-0 truncate">
              {crumb}
            </span>
            <ChevronRight aria-hidden size={14} className="shrink-0 text-text-3 rtl:rotate-180" />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Title({ title, isHeading }: { title: ReactNode; isHeading: boolean }) {
  return isHeading ? (
    <h1 dir="auto" className="min-w-0 font-semibold">
      {title}
    </h1>
  ) : (
    <span aria-current="page" dir="auto" className="min-w-0 truncate font-medium">
      {title}
    </span>
  );
}

/** The tools follow the first frame, because they take as long to render as a list. They are beside nothing that they could move. */
function SecondRow({ tabs, tools }: { tabs: ReactNode; tools: ReactNode }) {
  const isFirstFramePainted = useFirstFramePainted();
  return (
    <div
      className="@container/tools relative flex h-10 pointer-coarse:h-11 items-center gap-x-1.5"
      data-header-row
      data-no-print
    >
      {tabs}
      {tools !== false && (
        <>
          <span className="flex-1" />
          {/* Without a box, so that filters shrink before tabs do. */}
          <div data-header-tools className="contents">
            {isFirstFramePainted && tools}
          </div>
        </>
      )}
    </div>
  );
}

const NONE: readonly ReactNode[] = [];

const publishHead = publishHeight("--head");

function keepFocusInSticky(header: HTMLElement | null): () => void {
  const ends = [keepFocus(header), publishHead(header)];
  return () => {
    for (const end of ends) end?.();
  };
}

/**
 * Below 1200 px, the breadcrumb needs the space of the keys, and on the narrowest screens that of the texts beside icons, which
 * are then for screen readers only.
 */
const NARROW = cx(
  "max-lg:[&_kbd]:hidden",
  "narrow:[&_:is(a,button):has(>svg)]:gap-0 narrow:[&_:is(a,button):has(>svg)]:px-2 narrow:[&_:is(a,button):has(>svg)]:text-[0px]",
);

/** The text of a tool with an icon: only for screen readers if the row is narrow. */
export const TOOL_TEXT = "@max-[960px]/tools:sr-only";
