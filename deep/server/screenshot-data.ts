/** A season of concerts, made up. Times are those of Berlin, around 21 November 2026. */
export const concerts = {
  title: "Riverside Concert Hall",
  calendarname: "Season 2026/27",
  timezone: "Europe/Berlin",
  palette_id: "3",
  description:
    "Chamber music, jazz and late-night electronics in the old boiler house by the river. Doors open an hour before each concert.\nTickets: https://riverside.example/tickets",
};

interface ConcertEvent {
  readonly title: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly color_id: string;
  readonly location: string;
  readonly description: string;
  readonly all_day_event: string;
}

function concert(
  title: string,
  day: string,
  [from, to]: readonly [from: string, to: string],
  color_id: string,
  [location, description = ""]: readonly [location: string, description?: string],
): ConcertEvent {
  const [start_date, end_date] = [`${day}/2026 ${from}`, to.includes("/") ? to : `${day}/2026 ${to}`];
  return { title, start_date, end_date, color_id, location, description, all_day_event: "false" };
}

function festival(
  title: string,
  first: string,
  last: string,
  color_id: string,
  location: string,
): ConcertEvent {
  const [start_date, end_date] = [`${first}/2026 00:00`, `${last}/2026 00:00`];
  return {
    title,
    start_date,
    end_date,
    color_id,
    location,
    description: "Every day from ten.",
    all_day_event: "true",
  };
}

const quintet = "Quartet Aurea with Mira Lindqvist, cello. Introduction at 18:45 in the foyer.";

export const concertEvents: readonly ConcertEvent[] = [
  concert("Piano lab", "11/04", ["18:00", "20:00"], "7", ["Studio B"]),
  concert("Mahler: Ninth Symphony", "11/12", ["19:30", "21:30"], "1", ["Main hall"]),
  festival("Quartet Aurea in residence", "11/19", "11/22", "2", "Studio B"),
  concert("Schubert: String Quintet in C", "11/21", ["19:30", "21:30"], "1", ["Main hall", quintet]),
  concert("Late night: Modular Garden", "11/21", ["22:30", "11/22/2026 01:00"], "9", [
    "Boiler room",
    "Patch cables.",
  ]),
  concert("Family concert: Carnival of the Animals", "11/22", ["11:00", "12:00"], "4", [
    "Main hall",
    "From 4 years.",
  ]),
  concert("Film with live score: Nosferatu", "11/22", ["20:00", "22:00"], "9", ["Main hall"]),
  concert("Nordic Jazz Trio", "11/25", ["20:00", "22:00"], "5", ["Club"]),
  concert("Open stage", "11/27", ["19:00", "23:00"], "7", ["Club", "Bring your own instrument."]),
  concert("Bach: Goldberg Variations", "11/29", ["17:00", "18:30"], "1", ["Main hall"]),
  concert("Advent singing", "12/05", ["16:00", "17:00"], "4", ["Courtyard"]),
  festival("Winter festival", "12/11", "12/13", "8", "Whole house"),
  concert("New Year's Eve gala", "12/31", ["21:00", "01/01/2027 01:00"], "6", ["Main hall"]),
];
