import {
  type AnyRoute,
  createRoute,
  type ResolveFullPath,
  type ResolveId,
  type Route,
} from "@tanstack/react-router";
import { lazyPage } from "../kit/lazy-part.tsx";
import { texts } from "../page/search-params.ts";
import { firstData } from "./first-data.ts";
import type { Page } from "./pages.ts";
import { MissingPage } from "./route-states.tsx";

/** Typed like a route that is written out, so that links are checked for path, parameters and search. */
type PageRoute<Parent extends AnyRoute, P extends Page> = Route<
  unknown,
  Parent,
  P["path"],
  ResolveFullPath<Parent, P["path"]>,
  string,
  ResolveId<Parent, string, P["path"]>,
  ReturnType<typeof texts<P["search"][number]>>
>;

/** The routes of pages below a parent. */
export function routesOf<Parent extends AnyRoute, Pages extends Record<string, Page>>(
  parent: Parent,
  pages: Pages,
) {
  const routes: AnyRoute[] = Object.values(pages).map((page) => routeOf(parent, page));
  return routes as { [Name in keyof Pages]: PageRoute<Parent, Pages[Name]> }[keyof Pages][];
}

/** The page's code loads when it is opened, when its link is hovered, or when the app is idle. */
function routeOf(parent: AnyRoute, page: Page) {
  return createRoute({
    getParentRoute: () => parent,
    path: page.path,
    validateSearch: texts(...page.search),
    component: lazyPage(page.code, MissingPage),
    ...firstData(page),
  });
}
