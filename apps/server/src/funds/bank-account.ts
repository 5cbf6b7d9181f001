const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const ACCOUNT = /^[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/

/** A bank's code by ISO 9362. */
export const isBic = (text: string): boolean => BIC.test(text)

/** An account number: an IBAN with the right check digits, or one of a country that has none. */
export function isBankAccount(text: string): boolean {
  const plain = text.replace(/[ -]/g, '')
  return /^[A-Z]{2}\d{2}/.test(plain) ? isIban(plain) : ACCOUNT.test(text)
}

/** ISO 13616: the remainder of the rearranged digits by 97 is 1. */
function isIban(text: string): boolean {
  if (!IBAN.test(text)) return false
  const turned = text.slice(4) + text.slice(0, 4)
  const digits = turned.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n
}
