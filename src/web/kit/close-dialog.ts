import { createContext } from "react";

/** Closes the surrounding dialog, after asking if it is dirty. */
export const CloseDialog = createContext<() => void>(() => {});
