import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type Props = ComponentProps<"a"> & {
  /** Overrules whether the router finds the link's address on screen. */
  current?: boolean | undefined;
};

/** A link of the sidebar. */
export const SidebarLink = createLink(({ current, children, ...rest }: Props) => (
  <a {...rest} aria-current={(current ?? rest["aria-current"]) ? "page" : undefined}>
    {children}
  </a>
));
