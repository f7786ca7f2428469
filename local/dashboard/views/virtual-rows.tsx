import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const ROW_HEIGHT = 36;
/** The row of column names stays at the top, over the rows that scroll. */
const HEAD_HEIGHT = 32;
/** Rows rendered above and below the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 8;

/**
 * A scrolling list of rows of equal height that draws only the visible ones, so ten thousand rows
 * cost as much as thirty. When rows are added at the top while the user has scrolled down, the
 * visible rows stay in place.
 *
 * Keyboard: arrows, Page Up and Down, Home and End move the active row; Enter opens it.
 */
export function VirtualRows(props: {
  count: number;
  /** The number of rows that have been added at the top so far. */
  added: number;
  active: number | undefined;
  label: string;
  head: JSX.Element;
  rowId: (index: number) => string;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
  renderRow: (index: number, place: JSX.CSSProperties) => JSX.Element | null;
}) {
  const { count, added, active, rowId, onActive, onOpen, renderRow } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const lastAdded = useRef(added);

  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const measure = () => setScroll({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = viewport.current;
    const delta = added - lastAdded.current;
    lastAdded.current = added;
    if (element && delta > 0 && element.scrollTop > 0) element.scrollTop += delta * ROW_HEIGHT;
  }, [added]);

  const scrollTo = (index: number) => {
    const element = viewport.current;
    if (!element) return;
    const top = index * ROW_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight - HEAD_HEIGHT) {
      element.scrollTop = top + ROW_HEIGHT + HEAD_HEIGHT - element.clientHeight;
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(scroll.height / ROW_HEIGHT) - 1);
    const current = active ?? -1;
    const targets: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: count - 1,
    };
    const target = targets[event.key];
    if (target !== undefined && count > 0) {
      event.preventDefault();
      const index = Math.min(count - 1, Math.max(0, target));
      onActive(index);
      scrollTo(index);
    } else if (event.key === "Enter" && active !== undefined) {
      event.preventDefault();
      onOpen(active);
    }
  };

  const first = Math.max(0, Math.floor(scroll.top / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(count, Math.ceil((scroll.top + scroll.height) / ROW_HEIGHT) + OVERSCAN);
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot draw a part of its rows
    <div
      class="rows"
      ref={viewport}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={count}
      // A row that is scrolled away is not drawn, and nothing may refer to it.
      aria-activedescendant={
        active !== undefined && indexes.includes(active) ? rowId(active) : undefined
      }
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) =>
        setScroll({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      {props.head}
      <div class="rows-canvas" role="presentation" style={{ height: `${count * ROW_HEIGHT}px` }}>
        {indexes.map((index) => renderRow(index, { top: `${index * ROW_HEIGHT}px` }))}
      </div>
    </div>
  );
}
