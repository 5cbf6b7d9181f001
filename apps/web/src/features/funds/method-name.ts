import type { ReceivingMethod } from '@fairlot/contract'

const ENDS = 6

/** Long addresses are known by both their ends. */
const shortened = (text: string): string =>
  text.length > 3 * ENDS ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text

/** What a currency is called: a coin with its network. */
export const currencyName = ({ code, network }: { code: string; network: string }): string =>
  network === '' ? code : `${code} · ${network}`

/** A method in a line. */
export function methodName({ address, bankName, iban, payeeAccount }: ReceivingMethod): string {
  if (address !== '') return shortened(address)
  return [bankName, shortened(iban || payeeAccount)].filter((part) => part !== '').join(' · ')
}
