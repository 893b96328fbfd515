// What needs a script: copying, the device's own way to share, and whether the reader's clocks show another time.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const target = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  if (!target || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(target.value ?? target.textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

for (const button of document.querySelectorAll("button[data-share]")) {
  if (!navigator.share) continue;
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    const url = document.getElementById(button.dataset.share).value;
    // Who closes the sheet has not failed.
    navigator.share({ title: document.title, url }).catch(() => undefined);
  });
}

for (const input of document.querySelectorAll("input[readonly]")) {
  input.addEventListener("focus", () => input.select());
}

/** Whether the reader's clock shows another time than the page at the start of an event, such as 2026-11-29T17:00:00+01:00. */
const isElsewhere = [...document.querySelectorAll("time")].some(({ dateTime }) => {
  const [, sign, hours, minutes] = /T.*([+-])(\d\d):(\d\d)$/.exec(dateTime) ?? [];
  const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  return sign !== undefined && new Date(dateTime).getTimezoneOffset() !== -offset;
});
for (const note of document.querySelectorAll("[data-zone]")) note.hidden = !isElsewhere;

for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
