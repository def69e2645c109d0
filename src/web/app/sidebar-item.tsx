import type { LucideIcon } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import { CATALOG, keycaps, type CommandId } from "../keys/catalog.ts";
import { compactCount } from "../kit/count-text.ts";
import { SidebarLink } from "../views/sidebar-link.tsx";

/** Whether a saved view is on screen. It is marked then, and not the list it belongs to. */
export const SavedViewContext = createContext(false);

/** Read by screen readers, but not shown while the sidebar is narrow. */
export const WIDE_ONLY = "md:in-data-[sidebar=narrow]:sr-only";

export const ITEM =
  "text-text-2 hover:bg-hover hover:text-text relative flex h-8 w-full items-center gap-2 rounded-md px-2 text-left aria-[current=page]:bg-selected aria-[current=page]:text-text aria-[current=page]:font-medium";

type Target =
  | "/"
  | "/notifications"
  | "/my-issues"
  | "/errors"
  | "/projects/$projectKey"
  | `/projects/$projectKey/${"triage" | "errors" | "releases" | "monitors" | "board" | "issues" | "epics" | "sprints" | "settings"}`;

type ItemProps = {
  to: Target;
  projectKey?: string;
  icon: LucideIcon;
  label: string;
  command?: CommandId;
  children?: ReactNode;
};

/** A page in the sidebar. */
export function Item({ to, projectKey = "", icon, label, command, children }: ItemProps) {
  const isView = use(SavedViewContext);
  return (
    <li>
      <SidebarLink
        to={to}
        params={{ projectKey }}
        activeOptions={{ exact: EXACT.has(to) }}
        current={isView ? false : undefined}
        className={ITEM}
      >
        <Content icon={icon} label={label} command={command} />
        {children}
      </SidebarLink>
    </li>
  );
}

/** Pages whose address begins the addresses of others. */
const EXACT = new Set<Target>(["/", "/projects/$projectKey"]);

/** The number of things that wait on a page; nothing if there are none. */
export function Waiting({ count = null, unit }: { count: number | null | undefined; unit: string }) {
  return (
    count !== null &&
    count > 0 && (
      <>
        <span className={`text-text-3 ml-auto text-xs ${WIDE_ONLY}`}>
          {compactCount(count)}
          <span className="sr-only"> {unit}</span>
        </span>
        <Dot className="bg-text-3" />
      </>
    )
  );
}

/** Says in the narrow sidebar that something waits. Screen readers read the number. */
export const Dot = ({ className }: { className: string }) => (
  <span
    aria-hidden
    className={`absolute end-1 top-1 hidden size-2 rounded-full md:in-data-[sidebar=narrow]:block ${className}`}
  />
);

/** An icon and a label, with the keys of the command in the tooltip. */
export function Content({
  icon: Icon,
  label,
  command,
}: {
  icon: LucideIcon;
  label: string;
  command: CommandId | undefined;
}) {
  const keys = command && keycaps(CATALOG[command].keys).join(" ");
  return (
    <span className="flex items-center gap-2" title={keys && `${label} (${keys})`}>
      <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <span className={WIDE_ONLY}>{label}</span>
    </span>
  );
}
