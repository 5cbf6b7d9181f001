/** A line of the table of permissions in words: `askAdjustment` as `Ask adjustment`. */
export function actName(act: string): string {
  const words = act.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What came of an act: `done`, or `refused: same operator`. */
export const outcomeText = (outcome: string): string =>
  outcome === 'done' ? outcome : `refused: ${actName(outcome).toLowerCase()}`

/** Enough of a hash to tell two apart by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-8)}`
