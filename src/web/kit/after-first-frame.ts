import { createContext, type ReactNode, use } from "react";

/** Whether the list around is still making its first frame. */
export const FirstFrameContext = createContext(false);

/** Controls of a row that the first frame of its list can do without, such as a menu. Their space must not depend on them. */
export function AfterFirstFrame({ children }: { children: ReactNode }): ReactNode {
  return use(FirstFrameContext) ? null : children;
}
