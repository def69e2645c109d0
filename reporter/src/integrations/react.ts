"use client";

import { Component, createElement, Fragment, type ErrorInfo, type ReactNode, version } from "react";
import { type AnyReporter } from "../core/current.ts";
import { reporterOf } from "../core/integration.ts";

interface ReactOptions {
  /** Default: the reporter that `init` created, looked up when an error occurs. */
  reporter?: AnyReporter | undefined;
}

/** The options of `createRoot` and `hydrateRoot` (React 19) that report the errors of components. */
export function reactErrors(options: ReactOptions = {}) {
  return {
    /** An error boundary of the application handles this error. */
    onCaughtError(error: unknown): void {
      capture(error, options);
      // As React does without this option.
      // eslint-disable-next-line no-console -- developers expect the error there
      console.error(error);
    },
    onUncaughtError(error: unknown): void {
      capture(error, options);
      reportError(error);
    },
  };
}

export interface ErrorBoundaryProps extends ReactOptions {
  children?: ReactNode;
  /** Shown instead of the children after an error: an element, or a function of the error. Default: nothing. */
  fallback?: ReactNode | ((failure: { error: unknown; reset: () => void }) => ReactNode);
  onError?: ((error: unknown, info: ErrorInfo) => void) | undefined;
}

/** Reports the errors of its children, from React 16.8 on, and shows `fallback` instead of them. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean; error?: unknown }> {
  override state: { failed: boolean; error?: unknown } = { failed: false };

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    capture(error, this.props);
    this.props.onError?.(error, info);
  }

  reset = (): void => this.setState({ failed: false, error: undefined });

  override render(): ReactNode {
    const { children, fallback } = this.props;
    const { failed, error } = this.state;
    const shown = failed ? fallback : children;
    const content = typeof shown === "function" ? shown({ error, reset: this.reset }) : shown;
    return createElement(Fragment, null, content);
  }
}

function capture(error: unknown, options: ReactOptions) {
  // Next.js has reported an error with a digest on the server; this copy of it has no message.
  if ((error as { digest?: unknown } | null)?.digest) return;
  reporterOf(options)?.captureOnce(error, { framework: { name: "React", version } });
}
