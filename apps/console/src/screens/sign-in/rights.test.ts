import { expect, test } from "vitest";
import { en } from "../../texts/en.js";
import { rightsOf } from "./rights.js";

const words = en.join;

test("calendars with the same rights are one sentence, others one each", () => {
  const grants = [
    { calendar: "Training", role: "editor", sees_followers: false },
    { calendar: "Concerts", role: "editor", sees_followers: false },
    { calendar: "Board", role: "viewer", sees_followers: true },
  ] as const;
  expect(rightsOf(grants, words, "en")).toEqual([
    { where: "In Training and Concerts", what: words.roles.editor },
    { where: "In Board", what: `${words.roles.viewer} and ${words.followers}` },
  ]);
});

test("a role in all calendars says so, and of an owner it is not said twice that followers are seen", () => {
  const grants = [{ calendar: "", role: "owner", sees_followers: true }] as const;
  expect(rightsOf(grants, words, "en")).toEqual([{ where: words.everywhere, what: words.roles.owner }]);
});
