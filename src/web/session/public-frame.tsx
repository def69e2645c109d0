import type { ReactNode } from "react";
import { Toasts } from "../kit/toasts.tsx";

type Props = {
  title: string;
  /** One line below the title. */
  lead?: ReactNode;
  children: ReactNode;
  /** Below the card: a link to another page. */
  foot?: ReactNode;
  /** The class of the card's width. */
  width?: string;
};

/** The frame of pages for people who are not signed in. */
export function PublicPage({ title, lead, children, foot, width = "max-w-sm" }: Props) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:py-16">
      <p className="mb-6 flex items-center gap-2 font-semibold">
        <img src="/favicon.svg" alt="" width={24} height={24} />
        Signalbox
      </p>
      <main id="main" className={`border-line bg-surface w-full rounded-lg border p-4 sm:p-6 ${width}`}>
        <title>{`${title} · Signalbox`}</title>
        <h1 tabIndex={-1} className="text-title font-semibold outline-none">
          {title}
        </h1>
        {lead !== undefined && <p className="text-text-2 mt-1">{lead}</p>}
        <div className="mt-4">{children}</div>
      </main>
      {foot !== undefined && <div className="text-text-2 mt-4">{foot}</div>}
      <Toasts />
    </div>
  );
}

export const LINK = "text-accent-text rounded-sm underline underline-offset-2 hover:no-underline";
