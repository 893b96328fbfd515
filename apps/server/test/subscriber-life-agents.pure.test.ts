import { expect, test } from "vitest";
import { appOfUserAgent, apps, refinedType } from "../src/followers/agents.js";

// Which app fetches a feed, from its User-Agent (rulings R5.6). Strings as servers recorded them.

const safari = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const strings = [
  ["Google-Calendar-Importer", "google"],
  ["Mozilla/5.0 (compatible; Google-Calendar-Importer)", "google"],
  ["Microsoft Exchange/15.20 (Windows NT 10.0; Win64; x64)", "outlookcom"],
  ["Microsoft Exchange/15.01", "outlookcom"],
  ["Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.16327; Pro)", "outlook"],
  ["Microsoft Office/15.0 (Windows NT 6.1; Microsoft Outlook 15.0.4771; Pro)", "outlook"],
  ["Mozilla/4.0 (compatible; ms-office; MSOffice 16) Microsoft Outlook 16.0", "outlook"],
  ["Outlook-iOS/723.4027091.prod.iphone (4.2247.0)", "outlook"],
  ["Outlook-Android/2.0", "outlook"],
  ["iOS/16.5 (20F66) dataaccessd/1.0", "apple"],
  ["iOS/10.3.1 (14E304) dataaccessd/1.0", "apple"],
  ["iOS/17.6.1 (21G93) dataaccessd/1.0", "apple"],
  ["macOS/13.4 (22F66) dataaccessd/1.0", "apple"],
  ["macOS/10.14.6 (18G103) CalendarAgent/429.4", "apple"],
  ["Mac+OS+X/10.11.6 (15G31) CalendarAgent/361.2", "apple"],
  ["Mac_OS_X/10.9.5 (13F34) CalendarAgent/176.2", "apple"],
  ["Mac OS X/10.8.5 (12F45) CalendarAgent/57", "apple"],
  ["CalendarStore/5.0.3 (1204.2); iCal/5.0.3 (1605.4); Mac OS X/10.7.5 (11G63b)", "apple"],
  ["DAVKit/4.0.3 (732.2); CalendarStore/4.0.4 (997.7); iCal/4.0.4 (1395.7); Mac OS X/10.6.8", "apple"],
  ["dataaccessd/1.0", "apple"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.4.1", "ical"],
  ["Mozilla/5.0 (X11; Linux i686; rv:24.0) Gecko/20100101 Thunderbird/24.0 Lightning/2.6b3", "ical"],
  ["ICSx5/2.2.4 (ical4j/3.2.14 okhttp/4.12.0) Android/14", "ical"],
  ["Nextcloud Webcal Service", "ical"],
  ["Mozilla/5.0 (Android) NextCloud (Android)", "ical"],
  ["Evolution/3.46.4", "ical"],
  ["Fastmail/1.0 (calendar subscriptions)", "ical"],
  ["ProtonCalendar/1.0", "ical"],
  ["HomeAssistant/2026.7.1 httpx/0.28.1", "ical"],
  ["YahooCalendar/1.0", "yahoo"],
  [`${safari} Version/16.5 Safari/605.1.15`, "browser"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36", "browser"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", "browser"],
  ["curl/8.5.0", undefined],
  ["Wget/1.21.3", undefined],
  ["python-requests/2.31.0", undefined],
  ["okhttp/4.12.0", undefined],
  ["Go-http-client/2.0", undefined],
  ["Java/17.0.9", undefined],
  ["", undefined],
  [undefined, undefined],
] as const;
for (const [string, app] of strings) {
  test(`${string ?? "no User-Agent"} is ${app ?? "no app that we know"}`, () => {
    expect(appOfUserAgent(string)).toBe(app);
  });
}

test("of a very long User-Agent the beginning decides", () => {
  expect(appOfUserAgent(`${"x".repeat(60_000)} dataaccessd`)).toBeUndefined();
  expect(appOfUserAgent(`iOS/16.5 (20F66) dataaccessd/1.0 ${"dataaccess".repeat(6_000)}`)).toBe("apple");
});

const refinements = [
  ["outlookcom", "outlookcom", "outlookcom"],
  ["office365", "outlookcom", "office365"],
  ["apple", "outlookcom", "outlookcom"],
  ["outlook", "outlookcom", "outlookcom"],
  ["office365", "google", "google"],
  ["google", "ical", "ical"],
] as const;
for (const [chosen, app, want] of refinements) {
  test(`the button ${chosen} and a fetch by ${app} make ${want}`, () => {
    expect(refinedType(chosen, app)).toBe(want);
  });
}

test("the values of calendar_type are those of the rulings", () => {
  expect([...apps].toSorted()).toEqual(
    ["apple", "google", "ical", "office365", "outlook", "outlookcom", "yahoo"].toSorted(),
  );
});
