/** What refusals of the tick guard are called. */
const REASONS: Readonly<Record<string, string>> = {
  notANumber: 'no number',
  zero: 'zero',
  negative: 'below zero',
  crossed: 'bid above ask',
  outOfOrder: 'older than the last',
  future: 'ahead of the clock',
  wideSpread: 'spread too wide',
  outOfBounds: 'out of all bounds',
  suspect: 'outside the band',
}

/** Why a price was not let in. */
export const refusalName = (reason: string): string => REASONS[reason] ?? reason
