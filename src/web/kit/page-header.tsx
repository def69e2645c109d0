import { Fragment, type ReactNode } from "react";

type Props = {
  title: ReactNode;
  /** Breadcrumb links, outermost first, without the page itself. */
  crumbs?: readonly ReactNode[];
  /** Shown beside the title, such as a count. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** Shown below the title: tabs or filters. */
  children?: ReactNode;
};

/** The page header, with the page's only `h1`. */
export function PageHeader({ title, crumbs, aside, actions, children }: Props) {
  return (
    <header className="border-b border-line bg-canvas px-4 pt-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-3">
        {/* The actions wrap below the title if a word of it would not fit next to them. */}
        <div className="min-w-0 flex-[1_1_7rem]">
          {crumbs !== undefined && crumbs.length > 0 && (
            <nav aria-label="Breadcrumb">
              <ol className="flex flex-wrap items-center gap-1 text-sm text-text-3 [&_a]:rounded-sm [&_a]:py-1 [&_a:hover]:text-text [&_a:hover]:underline">
                {crumbs.map((crumb, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a path has no order but its own
                  <Fragment key={index}>
                    <li>{crumb}</li>
                    <li aria-hidden>/</li>
                  </Fragment>
                ))}
              </ol>
            </nav>
          )}
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            <h1 dir="auto" className="min-w-0 text-title font-semibold">
              {title}
            </h1>
            {aside}
          </div>
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </header>
  );
}
