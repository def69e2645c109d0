import { createContext } from "react";

/** The id of the heading of the surrounding panel. */
export const PanelHeading = createContext<string | undefined>(undefined);
