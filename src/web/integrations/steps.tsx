import { Children, type ReactNode } from "react";

/** Numbered instructions. */
export function Steps({ children }: { children: ReactNode }) {
  return (
    <ol className="flex list-decimal flex-col gap-2 ps-5 marker:text-text-3">
      {Children.map(children, (step) => (
        <li className="min-w-0 ps-1 wrap-anywhere">{step}</li>
      ))}
    </ol>
  );
}
