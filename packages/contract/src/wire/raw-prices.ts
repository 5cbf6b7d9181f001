/**
 * How prices are heard without this package: for the few lines of script that move the first rows until the app has come. Keys of
 * a row of the frame, and of the quotation in it.
 */
export const RAW_PRICES = {
  path: '/v1/ws',
  subscribe: '{"type":"sub","params":"DAY_MARKET"}',
  code: 'symbol',
  quotation: 'quotation',
  mid: 'close',
} as const
