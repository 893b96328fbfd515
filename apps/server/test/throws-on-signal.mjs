// Imported by a process that a test starts: at SIGWINCH something goes wrong that nothing catches.
const failure = () =>
  Object.assign(new Error("insert into events values ('a private title')"), { name: "error", code: "23505" });

process.on("SIGWINCH", () => {
  if (process.env.UNEXPECTED === "rejection") void Promise.reject(failure());
  else
    setImmediate(() => {
      throw failure();
    });
});
