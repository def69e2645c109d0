import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { readIssues } from "../data/issues/read-issues.ts";
import { setSingleKeys } from "../keys/commands.ts";
import { rememberItem } from "../data/recent-items.ts";
import { useProfile } from "../data/account/session.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LiveRegion } from "../kit/notices/live-region.ts";
import { TimeZoneContext } from "../kit/dates/time.tsx";
import { flushDelayed } from "../kit/notices/toast.ts";
import { Toasts } from "../kit/toasts.tsx";
import { firstReached, MarkdownLinksContext } from "../kit/markdown/markdown-links.ts";
import { useStore } from "../state/store.ts";
import { AppDialogs } from "./dialogs.tsx";
import { GlobalCommands } from "./global-commands.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useMarkdownLinks } from "./use-markdown-links.ts";
import { applyTheme } from "../kit/theme.ts";
import { useUnread, useUnreadInTab } from "../data/inbox/unread.ts";

// Most pages use the code of `readIssues`, so it is part of the first script.
const LiveUpdates = lazyPart(async () => (await import("./live-updates.tsx")).LiveUpdates);

const LinkCards = lazyPart(async () => (await import("./link-cards.tsx")).LinkCards);

/** The frame of every page for signed-in users. */
export function Shell() {
  const profile = useProfile();
  const reached = useStore(firstReached);
  const links = useMarkdownLinks();
  const [menuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  useEscape(menuOpen, () => {
    setMenuOpen(false);
    menuButton.current?.focus();
  });

  useEffect(() => setSingleKeys(profile.single_keys), [profile.single_keys]);
  useEffect(() => applyTheme(profile.theme), [profile.theme]);
  const begin = () => {
    // Leaving the page ends the chance to undo.
    flushDelayed();
    setMenuOpen(false);
    main.current?.focus({ preventScroll: true });
  };

  return (
    <TimeZoneContext value={profile.time_zone}>
      <a
        href="#main"
        data-no-print
        className="bg-accent text-on-accent fixed top-2 left-2 z-50 -translate-y-20 rounded-md px-3 py-2 focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh flex-col md:flex-row">
        <header
          data-no-print
          className="border-line bg-surface sticky top-0 z-20 flex h-12 items-center gap-2 border-b px-2 md:hidden"
        >
          <IconButton
            ref={menuButton}
            icon={<MenuIcon size={18} />}
            label="Menu"
            aria-expanded={menuOpen}
            onClick={() => setMenuOpen(!menuOpen)}
          />
          <span className="font-semibold">Signalbox</span>
        </header>
        <div
          data-no-print
          className={`border-line bg-canvas top-12 z-10 shrink-0 border-r md:sticky md:top-0 md:block md:h-dvh md:w-56 md:in-data-[sidebar=narrow]:w-14 ${menuOpen ? "fixed inset-x-0 bottom-0 overflow-y-auto" : "hidden"}`}
        >
          <Sidebar />
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <Suspense>
            <LiveUpdates readIssues={readIssues} />
          </Suspense>
          <main ref={main} id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col pb-(--messages)">
            <MarkdownLinksContext value={links}>
              <Outlet />
            </MarkdownLinksContext>
          </main>
        </div>
      </div>
      <GlobalCommands />
      <MarkdownLinksContext value={links}>
        <AppDialogs />
      </MarkdownLinksContext>
      <Toasts />
      <Suspense>{reached && <LinkCards first={reached} />}</Suspense>
      <LiveRegion />
      <Title />
      <Path personId={profile.id} onNew={begin} />
    </TimeZoneContext>
  );
}

/** A component of its own, so that the frame is not rendered for each page. */
function Path({ personId, onNew }: { personId: number; onNew: () => void }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => rememberItem(personId, path), [personId, path]);
  useNewPage(path, onNew);
  return null;
}

/** Esc, unless a menu or dialog on top takes it. */
function useEscape(enabled: boolean, onEscape: () => void) {
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  useEffect(() => {
    if (!enabled) return;
    const listen = (event: KeyboardEvent) => {
      const isTaken = event.defaultPrevented || document.querySelector("[role=menu], [role=dialog]") !== null;
      if (event.key === "Escape" && !isTaken) latest.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [enabled]);
}

/** A new page starts at the top, for keyboard and screen reader users as well. */
function useNewPage(path: string, begin: () => void) {
  const before = useRef(path);
  const latest = useRef(begin);
  useEffect(() => {
    latest.current = begin;
  });
  useEffect(() => {
    if (before.current !== path) latest.current();
    before.current = path;
  }, [path]);
}

/** The page's heading becomes the tab's title. */
function Title() {
  const unread = useUnread();
  const [heading, setHeading] = useState("Signalbox");
  useEffect(() => {
    const read = () => {
      const text = document.querySelector("#main h1")?.textContent;
      setHeading(text ? `${text} · Signalbox` : "Signalbox");
    };
    read();
    const observer = new MutationObserver(read);
    const main = document.getElementById("main");
    if (main) observer.observe(main, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  useUnreadInTab(unread, heading);
  return null;
}
