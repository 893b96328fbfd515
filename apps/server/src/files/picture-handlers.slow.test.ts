import sharp from "sharp";
import { expect, test } from "vitest";
import { purgePictures } from "../calendars/picture-purge-job.js";
import { deleteAccount } from "../cli/accounts.js";
import { testServer } from "../../test/harness.js";
import { signIn } from "../../test/people.js";
import { newPicture, noisy, plain, sendPicture } from "../../test/pictures.js";

// Pictures of events, calendars and accounts, and how long they are kept (extensions X11.2).

const server = await testServer();
const daySeconds = 86_400;

/** The status of what is served at the end of an address. */
const statusOf = async (id: string): Promise<number> => (await server.request(`/p/${id}-320.webp`)).status;

test("a picture to which nothing refers is gone after a day, and not a moment sooner", async () => {
  const account = await server.account();
  const ids: string[] = []; // one after the other: on a busy machine a decoder takes seconds
  for (const color of ["#111111", "#222222", "#333333", "#444444"])
    ids.push(await newPicture(server, account, color));
  const [logo, cover, , ofCalendar] = ids;
  const pictures = {
    logo_id: logo ?? "",
    logo_alt: "Logo",
    picture_id: cover ?? "",
    picture_alt: "The stage",
  };
  expect((await account.call("accountUpdate", pictures)).body.account).toMatchObject(pictures);
  const { calendar } = (
    await account.call("calendarsCreate", { title: "One", picture_id: ofCalendar ?? "", picture_alt: "Ball" })
  ).body;
  expect(calendar).toMatchObject({ picture_id: ofCalendar, picture_alt: "Ball" });
  const there = async () => Promise.all(ids.map(statusOf));
  await purgePictures(server.db, server.now + daySeconds - 1);
  expect(await there()).toEqual([200, 200, 200, 200]);
  await purgePictures(server.db, server.now + daySeconds);
  expect(await there()).toEqual([200, 200, 404, 200]);
  await account.call("accountUpdate", { logo_id: "" });
  expect((await account.call("accountDetails")).body.account).toMatchObject({ logo_id: "", logo_alt: "" });
  await account.call("deleteCalendar", { calendar_id: calendar.id }); // it can be restored, with its picture
  await purgePictures(server.db, server.now + daySeconds);
  await purgePictures(server.db, server.now + 2 * daySeconds);
  expect(await there()).toEqual([404, 200, 404, 200]);
  await deleteAccount(server.db, account.id, { yes: true }, server.now);
  expect(await there()).toEqual([404, 404, 404, 404]);
});

test("a picture is not taken without what it shows, and what it shows not without a picture", async () => {
  const account = await server.account();
  const id = await newPicture(server, account);
  const failing = async (params: Readonly<Record<string, string>>) =>
    (await account.call("accountUpdate", params)).body.meta.errors?.map(
      (one: { readonly parameter: string }) => one.parameter,
    );
  expect(await failing({ picture_id: id })).toEqual(["picture_alt"]);
  expect(await failing({ picture_id: id, picture_alt: "  " })).toEqual(["picture_alt"]);
  expect(await failing({ picture_alt: "A stage" })).toEqual(["picture_alt"]);
  expect(await failing({ picture_id: "f".repeat(32), picture_alt: "A stage" })).toEqual(["picture_id"]);
  expect(await failing({ picture_id: "7", picture_alt: "A stage" })).toEqual(["picture_id"]);
  expect(await failing({ picture_id: id, picture_alt: "A stage" })).toBeUndefined();
  expect(await failing({ picture_alt: "" })).toEqual(["picture_alt"]);
  expect(await failing({ picture_alt: "The stage" })).toBeUndefined();
});

test("pictures count in what an account stores: a full one is a 507, and what is removed makes room again", async () => {
  const limited = await testServer({ MAX_ACCOUNT_BYTES: "1000000" });
  const account = await limited.account();
  const statuses: number[] = [];
  for (let number = 0; number < 12 && statuses.at(-1) !== 507; number++) {
    const picture = await noisy(400 + number, 300)
      .jpeg()
      .toBuffer();
    statuses.push((await sendPicture(limited, account, picture)).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 507]));
  expect(statuses.at(-1)).toBe(507);
  const bytes = async () =>
    (await limited.db.read("accounts").where({ id: account.id }).first("picture_bytes")).picture_bytes;
  const [sum] = await limited.db.read("pictures").sum({ bytes: "bytes" });
  expect(await bytes()).toBe(Number(sum?.bytes));
  await purgePictures(limited.db, limited.now + daySeconds);
  expect(await bytes()).toBe(0);
  expect((await sendPicture(limited, account, await noisy(400, 300).jpeg().toBuffer())).status).toBe(200);
}, 60_000);

/** Removes every picture to which nothing refers. */
async function purgeAll(): Promise<void> {
  await purgePictures(server.db, server.now);
  await purgePictures(server.db, server.now + daySeconds);
}

async function accountWithEvent(params: Readonly<Record<string, string>> = {}) {
  const account = await server.account();
  const { id: calendar_id, uniquekey } = (await account.call("createCalendar", { title: "One" })).body
    .calendar;
  const picture_id = await newPicture(server, account);
  const sent = {
    calendar_id,
    title: "Ball",
    start_date: "2026-08-04T20:00",
    picture_id,
    picture_alt: "A hall",
  };
  const add = (more: Readonly<Record<string, string>> = {}) =>
    account.call("eventsCreate", { ...sent, ...params, ...more });
  return { account, calendar_id, uniquekey, picture_id, sent, add };
}

test("an event has its picture in every answer and its message, and a save of the contract keeps it", async () => {
  const { account, picture_id, add } = await accountWithEvent();
  const { event } = (await add()).body;
  expect(event).toMatchObject({ picture_id, picture_alt: "A hall" });
  await account.call("saveEvent", { event_id: event.id, title: "Ball", start_date: "2026-08-04T21:00" });
  expect((await account.call("eventsDetails", { event_id: event.id })).body.event).toMatchObject({
    picture_id,
    picture_alt: "A hall",
  });
  await purgeAll();
  expect(await statusOf(picture_id)).toBe(200);
  const cleared = (await account.call("eventsUpdate", { event_id: event.id, picture_id: "" })).body.event;
  expect(cleared).toMatchObject({ picture_id: "", picture_alt: "" });
  await purgeAll();
  expect(await statusOf(picture_id)).toBe(404);
  const { history } = (await account.call("historyList", { event_id: event.id })).body;
  expect(history[0].changes).toEqual([
    { field: "picture_alt", before: "A hall", after: "" },
    { field: "picture_id", before: picture_id, after: "" },
  ]);
  // What the event was before had a picture that is gone by now.
  const entry_id: string = history[1].id;
  const reverted = await account.call("eventsRevert", { event_id: event.id, entry_id });
  expect(reverted.body.event).toMatchObject({ title: "Ball", picture_id: "", picture_alt: "" });
});

test("a person who edits one calendar stores pictures, and one who only reads does not", async () => {
  const account = await server.account();
  const { calendar } = (await account.call("calendarsCreate", { title: "One" })).body;
  const picture = (await plain(8, 8).png().toBuffer()).toString("base64");
  for (const [role, status] of [
    ["editor", 200],
    ["viewer", 403],
  ] as const) {
    const grant = { calendar_id: Number(calendar.id), role, sees_followers: 0 };
    const person = await signIn(server, account.id, [grant]);
    expect([role, (await person.call("picturesCreate", { picture })).status]).toEqual([role, status]);
  }
});

test("an event that is deleted keeps its picture as long as it can be restored", async () => {
  const { account, picture_id, add } = await accountWithEvent();
  const { event } = (await add()).body;
  await account.call("eventsDelete", { event_id: event.id });
  await purgeAll();
  expect(await statusOf(picture_id)).toBe(200);
  expect((await account.call("eventsRestore", { event_id: event.id })).status).toBe(200);
});

test("another account's picture, and one that is gone, is no picture of an event, wherever it is sent", async () => {
  const { account, sent, add } = await accountWithEvent();
  const event_id: string = (await add()).body.event.id;
  const series = { ...sent, rrule: "FREQ=DAILY;COUNT=2" };
  const of = (await account.call("eventsSeriesCreate", series)).body.event_ids[0];
  const foreign = { picture_id: await newPicture(server, await server.account()), picture_alt: "A hall" };
  const answers = [
    await add(foreign),
    await account.call("eventsUpdate", { event_id, ...foreign }),
    await account.call("eventsBatch", { events: event_id, ...foreign }),
    await account.call("eventsSeriesCreate", { ...series, ...foreign }),
    await account.call("eventsSeriesUpdate", { event_id: of, scope: "all", ...foreign }),
    await account.call("eventsUpdate", { event_id, calendar_id: sent.calendar_id, ...foreign }),
  ];
  for (const { body } of answers) expect(body.meta.errors).toMatchObject([{ parameter: "picture_id" }]);
});

test("the next events of a series keep its picture, also when no event has it any more", async () => {
  const { account, picture_id, sent } = await accountWithEvent();
  const created = await account.call("eventsSeriesCreate", { ...sent, rrule: "FREQ=WEEKLY" });
  const events: readonly string[] = created.body.event_ids;
  await account.call("eventsBatch", { events: events.join(), picture_id: "" });
  await purgeAll();
  expect(await statusOf(picture_id)).toBe(200);
  await account.call("eventsSeriesUpdate", { event_id: events[0] ?? "", scope: "all", picture_id: "" });
  await purgeAll();
  expect(await statusOf(picture_id)).toBe(404);
});

test("an exported file brings url and picture back, and another account's file no picture", async () => {
  const url = "https://tickets.example/ball?a=1,2;b";
  const { account, calendar_id, picture_id, add } = await accountWithEvent({
    url,
    picture_alt: "Hall; “left”, 1",
  });
  await add();
  const ics = (await account.call("calendarsExport", { calendar_id })).text;
  const other = await server.account();
  for (const [into, picture] of [
    [account, { picture_id, picture_alt: "Hall; “left”, 1" }],
    [other, { picture_id: "", picture_alt: "" }],
  ] as const) {
    const { calendar } = (await into.call("calendarsCreate", { title: "Copy" })).body;
    expect((await into.call("calendarsImport", { calendar_id: calendar.id, ics })).body.import.created).toBe(
      1,
    );
    const { events } = (await into.call("eventsList", { calendar_id: calendar.id })).body;
    expect(events).toMatchObject([{ title: "Ball", url, ...picture }]);
    const again = await into.call("calendarsImport", { calendar_id: calendar.id, ics });
    expect(again.body.import.unchanged).toBe(1);
  }
});

test("a feed has the picture as IMAGE where it knows its own address", async () => {
  const at = await testServer({ PUBLIC_URL: "https://calendars.example/at" });
  const account = await at.account();
  const { calendar } = (await account.call("createCalendar", { title: "One" })).body;
  const picture_id = await newPicture(at, account);
  const event = { title: "Ball", start_date: "2026-08-04T20:00", url: "https://tickets.example" };
  await account.call("eventsCreate", {
    calendar_id: calendar.id,
    ...event,
    picture_id,
    picture_alt: "A hall",
  });
  const { text } = await at.request(`/c/${calendar.uniquekey}/one.ics`);
  const unfolded = text.replaceAll("\r\n ", "");
  const address = `https://calendars.example/at/p/${picture_id}-1200.jpg`;
  expect(unfolded).toContain(`\r\nIMAGE;VALUE=URI;FMTTYPE=image/jpeg:${address}\r\n`);
  expect(unfolded).toContain("\r\nURL:https://calendars.example/at/c/");
});

test.each([
  [
    "a white logo without a background",
    `<circle cx="50" cy="50" r="50" fill="#fff"/>`,
    100,
    ["#ffffff", "#1d1d1f"],
  ],
  [
    "a black logo without a background",
    `<circle cx="50" cy="50" r="50" fill="#000"/>`,
    100,
    ["#000000", "#ffffff"],
  ],
  [
    "a banner with red ends",
    `<rect width="400" height="100" fill="#00f"/><rect width="20" height="100" fill="#f00"/>`,
    400,
    ["#0000ff", "#ff0000"],
  ],
])("a link preview shows the whole of %s", async (_name, shapes, width, [middle, left]) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="100">${shapes}</svg>`;
  const account = await server.account();
  const sent = await sendPicture(
    server,
    account,
    await sharp(Buffer.from(svg)).png().toBuffer(),
    "image/png",
  );
  const file = await fetch(`${server.url}/p/${sent.body.picture.id}-1200.jpg`);
  const { data, info } = await sharp(await file.arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([1_200, 630]);
  const isLike = (x: number, color = ""): boolean => {
    const at = (315 * info.width + x) * info.channels;
    const parts = [1, 3, 5].map((from) => parseInt(color.slice(from, from + 2), 16));
    return parts.every((part, index) => Math.abs((data[at + index] ?? 0) - part) < 24);
  };
  expect([isLike(600, middle), isLike(8, left)]).toEqual([true, true]);
});
