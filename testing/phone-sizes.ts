/** Common phone sizes; 390 x 664 and 844 are the same phone with and without the browser's bars. */
export const PHONES = [
  [320, 568],
  [360, 640],
  [375, 667],
  [390, 664],
  [390, 844],
  [430, 932],
] as const
