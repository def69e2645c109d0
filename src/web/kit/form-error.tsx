import type { ReactNode } from "react";
import { CircleAlert } from "lucide-react";

/** A form's error that belongs to no single field. Announced when it appears. */
export function FormError({ children }: { children?: ReactNode }) {
  if (children === undefined || children === null || children === "" || children === false) return null;
  return (
    <div
      role="alert"
      className="flex items-start gap-2 rounded-md border border-danger bg-danger-tint px-3 py-2 text-danger"
    >
      <CircleAlert size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
