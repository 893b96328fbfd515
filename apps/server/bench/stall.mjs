// Loaded into a server under test with --import: tells its parent, when asked, how long its event loop stood still at most.
import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 10;
const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
histogram.enable();
process.on("message", (message) => {
  if (message !== "stall") return;
  // The histogram holds the whole time from one tick to the next; max is 0 as long as there was none.
  process.send?.(Math.max(0, histogram.max / 1e6 - resolutionMs));
  histogram.reset();
});
process.channel?.unref();
