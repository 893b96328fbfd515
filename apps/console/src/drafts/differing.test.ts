import { expect, test } from "vitest";
import { differing } from "./differing.js";

test("what differs is what is sent, a picture with its text", () => {
  const saved = { title: "Choir", accent: "", picture_id: "1", picture_alt: "The stairs" };
  expect(differing(saved, { ...saved, title: "" })).toEqual({ title: "" });
  expect(differing(saved, { ...saved, picture_alt: "The hall" })).toEqual({
    picture_id: "1",
    picture_alt: "The hall",
  });
  expect(differing(saved, saved)).toEqual({});
});
