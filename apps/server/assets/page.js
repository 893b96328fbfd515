// Copy buttons, the only feature of the pages that needs a script.
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

for (const input of document.querySelectorAll("input[readonly]")) {
  input.addEventListener("focus", () => input.select());
}
