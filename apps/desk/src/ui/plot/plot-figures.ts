const MILLIONTHS = 1e6

/** An amount as a plot draws it: a pixel is coarser than a double. */
export const plotUnits = (units: bigint): number => Number(units) / MILLIONTHS

const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** An amount on a scale: `−1.2M`. */
export const compactMoney = (value: number): string => COMPACT.format(value).replace('-', '−')
