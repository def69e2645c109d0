import type { ReactNode } from "react";
import { type Icon, IconSlot } from "./icon.tsx";

type Props = { icon?: Icon; title: string; text?: ReactNode; action?: ReactNode };

/** Says that there is nothing here, why, and what to do next. */
export function EmptyState({ icon, title, text, action }: Props) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-4 py-12 text-center">
      <span className="text-text-3">
        <IconSlot icon={icon} size={24} />
      </span>
      <h2 className="text-title font-semibold">{title}</h2>
      {text !== undefined && <p className="text-balance text-text-2">{text}</p>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
