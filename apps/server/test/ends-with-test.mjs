// Imported by a process that a test starts: it ends when the test's process does, however that ends.
process.stdin.resume();
process.stdin.once("close", () => process.exit(1));
process.stdin.unref?.();
