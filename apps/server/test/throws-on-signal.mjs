// Imported by a process that a test starts: at SIGWINCH, or at once, something goes wrong that nothing catches.
const failure = () =>
  Object.assign(new Error("insert into events values ('a private title')"), { name: "error", code: "23505" });

/** Throws when its message is read. */
const hostile = () =>
  Object.defineProperty(new Error("x"), "stack", {
    get: () => {
      throw failure();
    },
  });

function throwLater() {
  const { UNEXPECTED: kind } = process.env;
  if (kind === "rejection") void Promise.reject(failure());
  else
    setImmediate(() => {
      throw kind === "hostile" ? hostile() : failure();
    });
}

process.on("SIGWINCH", throwLater);
if (process.env.UNEXPECTED === "at start") {
  // Once the log is open, which is when the process has handlers.
  process.on("newListener", (name) => {
    if (name === "uncaughtException") setImmediate(throwLater);
  });
}
