import { expect, test } from "vitest";
import { de } from "../../texts/de.js";
import { en } from "../../texts/en.js";
import { es } from "../../texts/es.js";
import { fr } from "../../texts/fr.js";
import { cancelled, revived } from "./cancel-note.js";

test.each([de, en, es, fr])(
  "in $name why it is cancelled stands first, and goes with a revival",
  ({ event }) => {
    const before = { id: "1", description: "Bring music.\n\nDoor B" };
    const after = cancelled(before, " Hall closed ", event);
    expect(after.description).toMatch(/^\S+: Hall closed\n\nBring music\.\n\nDoor B$/);
    expect(cancelled(after, "Ill", event).description).toMatch(/^\S+: Ill\n\nBring music/);
    expect(revived(after)).toEqual({ ...before, status: "confirmed" });
  },
);

test("without a sentence the description stays", () => {
  expect(cancelled({ id: "1", description: "Door B" }, " ", en.event).description).toBe("Door B");
});
