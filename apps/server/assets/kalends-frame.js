// Gives each frame with a calendar the height of its content. Messages of other services are ignored.
const own = new URL(import.meta.url).origin;

addEventListener("message", ({ origin, source, data }) => {
  const height = data?.kalends?.height;
  if (origin !== own || !Number.isInteger(height) || height < 1 || height > 20_000) return;
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === source) frame.style.height = `${height}px`;
});

// Frames that were loaded before this script have told their height already. To one that is still empty "*" is no error.
for (const frame of document.querySelectorAll("iframe"))
  if (frame.src.startsWith(`${own}/`)) frame.contentWindow?.postMessage({ kalends: "height" }, "*");
