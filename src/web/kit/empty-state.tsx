import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawing.tsx";
import { type Icon, IconSlot } from "./icon.tsx";

type Props = {
  /** For a list in which nothing matches, or something that is missing. */
  icon?: Icon;
  /** For a list that is empty as such. */
  drawing?: DrawingName;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** Code that fills the list. */
  code?: ReactNode;
};

/** Says that there is nothing here, why, and what to do next. */
export function EmptyState({ icon, drawing, title, text, action, code }: Props) {
  return (
    <div className="m-auto flex w-full max-w-xl flex-col items-center gap-2 px-4 py-12 text-center">
      <span className="text-text-3">
        {drawing === undefined ? <IconSlot icon={icon} size={24} /> : <Drawing name={drawing} />}
      </span>
      <h2 className="text-title font-semibold">{title}</h2>
      {text !== undefined && <p className="max-w-sm text-balance text-text-2">{text}</p>}
      {code !== undefined && code !== false && <div className="mt-2 w-full text-start">{code}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
