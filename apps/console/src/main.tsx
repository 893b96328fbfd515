import { render } from "preact";
import { App } from "./shell/app.js";
import { chosenLanguage, isLanguage, loadTexts } from "./texts/current.js";
import { followLinks } from "./router/location.js";

const { lang } = document.documentElement;
await loadTexts(chosenLanguage() ?? (isLanguage(lang) ? lang : "en"));
followLinks();
const place = document.getElementById("app");
if (place !== null) render(<App />, place);
