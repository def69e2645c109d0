import { createContext } from "react";
import { store } from "../../state/store.ts";

/** What links in a text need from the rest of the app. */
export type MarkdownLinks = {
  /** The keys of the projects the person can access. */
  projectKeys: readonly string[];
  /** The key of the project of the page. */
  projectKey: string | undefined;
  /** The address of a page about the person; "" if there is none. */
  addressOf: (username: string, projectKey: string | undefined) => string;
  /** Goes to an address within the app. */
  follow: (address: string) => void;
};

export const MarkdownLinksContext = createContext<MarkdownLinks>({
  projectKeys: [],
  projectKey: undefined,
  addressOf: () => "",
  follow: (address) => location.assign(address),
});

/** Links to issues, reports and people. */
export const REFERENCES = "a[data-issue], a[data-report], a[data-person]";

/** The first link to an issue, report or person that the pointer or the focus has reached. Their cards load then. */
export const firstReached = store<HTMLElement | null>(null);
