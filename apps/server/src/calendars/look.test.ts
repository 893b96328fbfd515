import { expect, test } from "vitest";
import { findProfile } from "../accounts/profile-queries.js";
import { testServer } from "../../test/harness.js";
import { themeOf } from "../public/theme.js";

// What a calendar has of its own on the pages of its account (extensions X11.1).

const noPicture = { picture_id: "", picture_alt: "" };
const server = await testServer();
const owner = await server.account();

const details = async (calendar_id: string) =>
  (await owner.call("calendarsDetails", { calendar_id })).body.calendar;

test("a calendar has no accent and is not listed until its owner says so, and a save of the contract keeps both", async () => {
  const { id } = (await owner.call("createCalendar", { title: "Concerts" })).body.calendar;
  expect(await details(id)).toMatchObject({ accent: "", listed: false });
  const sent = { calendar_id: id, accent: "#B8412C", listed: "true" };
  expect((await owner.call("calendarsUpdate", sent)).body.calendar).toMatchObject({
    accent: "#b8412c",
    listed: true,
  });
  await owner.call("saveCalendar", { calendar_id: id, title: "Concerts", timezone: "Europe/Berlin" });
  expect(await details(id)).toMatchObject({ accent: "#b8412c", listed: true });
  const { history } = (await owner.call("historyList", { calendar_id: id })).body;
  expect(history[1].changes).toEqual([
    { field: "accent", before: "", after: "#b8412c" },
    { field: "listed", before: "false", after: "true" },
  ]);
  await owner.call("calendarsUpdate", { calendar_id: id, accent: "", listed: "" });
  expect(await details(id)).toMatchObject({ accent: "", listed: false });
});

test("a new calendar takes both at once, and the webhook's message has them", async () => {
  const added = await owner.call("calendarsCreate", { title: "Listed", accent: "#112233", listed: "true" });
  expect(added.body.calendar).toMatchObject({ accent: "#112233", listed: true });
  const refused = await owner.call("calendarsCreate", { title: "Listed", accent: "blue", listed: "yes" });
  expect(refused.body.meta.errors).toMatchObject([{ parameter: "accent" }, { parameter: "listed" }]);
});

test("a page has the accent of its calendar, else that of the account, else the default one", async () => {
  await owner.call("accountUpdate", { accent: "#f2a900", imprint_url: "https://club.example/imprint" });
  const account = await findProfile(server.db.read, owner.id);
  if (account === undefined) throw new Error("no profile");
  expect(themeOf("", account, { ...noPicture, accent: "#112233" })).toMatchObject({
    imprint_url: "https://club.example/imprint",
    stylePath: "/assets/accent-112233.css",
    colors: { light: { accent: "#112233", on_accent: "#ffffff" } },
  });
  expect(themeOf("/at", account, { ...noPicture, accent: "" }).stylePath).toBe(
    "/at/assets/accent-f2a900.css",
  );
  expect(themeOf("", { ...account, accent: "" }).stylePath).toBe("/assets/accent-17594f.css");
});
