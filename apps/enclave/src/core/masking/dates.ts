// Made once: each takes longer to make than a date to write.
const months = (['long', 'short'] as const).map(
  (month) => new Intl.DateTimeFormat('en-US', { month, timeZone: 'UTC' }),
);
/** Whose order and names of months are looked for beside English ones. */
const abroad = ['de', 'fr', 'es', 'it', 'pt', 'nl'].map(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
);

/**
 * How pages write the day of an ISO 8601 date or time: `23.4.1987`, `04/23/1987`, `April 23, 1987`, `23 avril 1987`. None for any
 * other text. Signs between the parts do not count where they are looked for, so each order of digits is here once.
 */
export function spellingsOf(text: string): string[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)(?:T|$)/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (year === '' || Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return [];
  const [shortMonth, shortDay] = [String(Number(month)), String(Number(day))];
  const english = months.flatMap((month) => {
    const name = month.format(date);
    return [shortDay, `${shortDay}${ordinal(Number(day))}`, day].flatMap((one) => [
      `${one} ${name} ${year}`,
      `${name} ${one}, ${year}`,
    ]);
  });
  return [
    ...new Set([
      `${year}-${month}-${day}`,
      `${day}.${month}.${year}`,
      `${month}/${day}/${year}`,
      `${shortDay}.${shortMonth}.${year}`,
      `${shortMonth}/${shortDay}/${year}`,
      `${year}/${shortMonth}/${shortDay}`,
      ...english,
      ...abroad.map((language) => language.format(date)),
    ]),
  ];
}

const ordinal = (day: number): string =>
  day >= 11 && day <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
