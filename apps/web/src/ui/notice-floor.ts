/** Marks what a notice must not cover: it stands above. */
export const NOTICE_FLOOR = { 'data-notice-floor': '' } as const

const OPEN_DIALOG = '[role="dialog"][data-open], [role="alertdialog"][data-open]'
/** Higher than this share of the screen a notice would hide the price. */
const HIGHEST_FLOOR = 0.6

/**
 * How far above the bottom of the screen a notice has to stand to cover none of the marked elements, px. Null where there is
 * no room, or an open sheet has its buttons there: it stands at the top then.
 */
export function noticeFloorPx(): number | null {
  if (document.querySelector(OPEN_DIALOG)) return null
  const tops = [...document.querySelectorAll('[data-notice-floor]')]
    .map((element) => element.getBoundingClientRect())
    .filter(({ height }) => height > 0)
    .map(({ top }) => top)
  const floorPx = window.innerHeight - Math.min(window.innerHeight, ...tops)
  return floorPx > window.innerHeight * HIGHEST_FLOOR ? null : floorPx
}
