import { type RefObject, useEffect, useRef } from "react";

/** For a form: when the server rejects it, the first rejected field gets the focus, and screen readers read its error. */
export function useFocusInvalid(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null && error !== undefined)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return form;
}
