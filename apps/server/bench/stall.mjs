// Loaded into a server under test with --import: replies to the message "stall" with the longest event loop stall in ms.
import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 10;
const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
histogram.enable();
process.on("message", (message) => {
  if (message !== "stall") return;
  // The histogram records the time between two ticks, so the resolution is subtracted; max is 0 without samples.
  process.send?.(Math.max(0, histogram.max / 1e6 - resolutionMs));
  histogram.reset();
});
process.channel?.unref();
