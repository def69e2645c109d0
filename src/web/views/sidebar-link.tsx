import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type Props = ComponentProps<"a"> & {
  /** Overrides the router's decision whether the link's page is on screen. */
  current?: boolean | undefined;
};

/** A link of the sidebar. */
export const SidebarLink = createLink(({ current, children, ...rest }: Props) => (
  <a {...rest} aria-current={(current ?? rest["aria-current"]) ? "page" : undefined}>
    {children}
  </a>
));
