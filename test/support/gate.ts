/** A promise that the test resolves, so that handlers need not wait for a fixed time. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

/** Work that the test lets end. */
export interface HeldWork {
  /** Resolves when it has been called. */
  readonly started: Promise<void>;
  run(): Promise<void>;
  end(): void;
}

/** A function, such as a handler, that resolves when the test ends it. */
export function heldWork(): HeldWork {
  const [started, ended] = [gate(), gate()];
  const run = () => {
    started.open();
    return ended.passed;
  };
  return { started: started.passed, run, end: ended.open };
}
