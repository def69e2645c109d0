import { toast } from "../kit/notices/toast.ts";
import { reasonOf } from "./reason.ts";

/** Says what could not be done, and why: `showFailure("WEB-12 could not be changed", error)`. */
export function showFailure(failed: string, error: unknown, subjects?: readonly string[]): void {
  toast({ title: `${failed}.`, description: reasonOf(error), tone: "danger", subjects });
}
