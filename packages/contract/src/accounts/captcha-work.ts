/** The solution of a captcha's calculation: after how many rounds, and the key found then, in hexadecimal. */
export type Work = { readonly counter: number; readonly derivedKey: string }

/** How a solution is sent in place of the digits. */
export const workText = ({ counter, derivedKey }: Work): string => `altcha ${counter} ${derivedKey}`

/** Reads such a text; null for any other, as for digits. */
export function readWork(text: string): Work | null {
  const [, counter, derivedKey] = /^altcha (\d{1,9}) ([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return counter === undefined || derivedKey === undefined ? null : { counter: Number(counter), derivedKey }
}
