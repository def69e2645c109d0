import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useCommand } from "../keys/commands.ts";
import { cx } from "../kit/cx.ts";
import { SearchField } from "../kit/search-field.tsx";
import { rowClass, rowLink } from "../lists/row.tsx";
import { type RowLinkProps, useRowKeys } from "../lists/use-row-keys.ts";
import { Method } from "./method.tsx";
import type { Area, Operation } from "./operations.ts";

type Props = {
  areas: readonly Area[];
  /** The id of the open operation. */
  opened: string | undefined;
  query: string;
  onSearch: (query: string) => void;
  /** Below the operations. */
  children: ReactNode;
};

/** All operations by area, and their search. The arrow keys go from one to the next. */
export function OperationList({ areas, opened, query, onSearch, children }: Props) {
  const nav = useRef<HTMLElement>(null);
  const ids = areas.flatMap(({ operations }) => operations.map(({ operationId }) => operationId));
  const keys = useRowKeys(ids.length);
  useCommand("search", () => nav.current?.querySelector("input")?.focus());
  useEffect(
    () => nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" }),
    [],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of the links in it
    <nav ref={nav} aria-label="Operations" className="flex min-h-0 flex-1 flex-col" onKeyDown={stepByArrows}>
      <div className="border-b border-line px-4 py-2">
        <SearchField
          label="Search operations"
          placeholder="Search by name, path or method"
          value={query}
          onChange={onSearch}
        />
      </div>
      <p role="status" className="sr-only">
        {ids.length === 1 ? "1 operation" : `${ids.length} operations`}
      </p>
      <div
        id={keys.boxId}
        data-scroll-restoration-id="operations"
        className="min-h-0 flex-1 overflow-y-auto short:overflow-y-visible"
      >
        {areas.map(({ name, description, operations }) => (
          <section key={name} aria-label={name}>
            <h2
              className="sticky top-0 z-2 border-b border-line bg-canvas px-4 py-1.5 font-semibold"
              title={description}
            >
              {name}
            </h2>
            <ul>
              {operations.map((operation) => (
                <OperationRow
                  key={operation.operationId}
                  operation={operation}
                  query={query}
                  isOpen={operation.operationId === opened}
                  row={keys.row(ids.indexOf(operation.operationId))}
                />
              ))}
            </ul>
          </section>
        ))}
        {children}
      </div>
    </nav>
  );
}

function stepByArrows(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[event.key === "ArrowDown" ? at + 1 : at - 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

type RowProps = { operation: Operation; query: string; isOpen: boolean; row: RowLinkProps };

function OperationRow({ operation, query, isOpen, row }: RowProps) {
  const { operationId, method, path, summary } = operation;
  return (
    <li className={cx(rowClass({ current: isOpen }), "h-(--row-2)")}>
      <Method name={method} />
      <span className="flex min-w-0 flex-1 flex-col">
        <Link
          to="/reference"
          search={query === "" ? { operation: operationId } : { operation: operationId, query }}
          aria-current={isOpen ? "page" : undefined}
          className={rowLink}
          {...row}
        >
          {summary}
        </Link>
        <code className="truncate text-xs text-text-3" title={path}>
          {path}
        </code>
      </span>
    </li>
  );
}
