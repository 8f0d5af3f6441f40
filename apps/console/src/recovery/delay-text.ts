const hour = 3_600;

/** “48 hours”, “7 days”. */
export function delayText(seconds: number): string {
  const hours = Math.round(seconds / hour);
  const [count, unit] = hours % 24 === 0 && hours > 48 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
