import { t } from "./current.js";

/** Whether a text has a sign that is seen: no space, no control, nothing that Unicode says to ignore, nor the empty sign of Braille. */
export const isVisible = (text: string): boolean =>
  /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** A title as it is read and pressed: words in place of one that nobody sees. */
export const shownTitle = (title: string): string => (isVisible(title) ? title : t.noTitle);
