import { createRootRouteWithContext, createRoute, Outlet } from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import { lazyPart } from "../kit/lazy-part.tsx";
import { texts } from "../page/search-params.ts";

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  validateSearch: texts("token", "step", "project"),
  component: lazyPart(async () => (await import("../setup/setup-page.tsx")).SetupPage),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: texts("return_to", "error", "ended"),
  component: lazyPart(async () => (await import("../session/sign-in-page.tsx")).SignInPage),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: "/password/forgot",
  component: lazyPart(async () => (await import("../session/forgot-page.tsx")).ForgotPage),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/password/reset",
  validateSearch: texts("token"),
  component: lazyPart(async () => (await import("../session/reset-page.tsx")).ResetPage),
});

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: "/confirm-address",
  validateSearch: texts("token"),
  component: lazyPart(async () => (await import("../session/confirm-address-page.tsx")).ConfirmAddressPage),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitations/$token",
  component: lazyPart(async () => (await import("../session/invitation-page.tsx")).InvitationPage),
});

const reference = createRoute({
  getParentRoute: () => root,
  path: "/reference",
  validateSearch: texts("operation", "query"),
  component: lazyPart(async () => (await import("../reference/reference-page.tsx")).ReferencePage),
});

/** The URLs that need no session. */
export const publicRoutes = [setup, signIn, forgot, reset, confirmAddress, invitation, reference] as const;
