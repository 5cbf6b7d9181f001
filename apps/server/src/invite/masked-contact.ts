const HIDDEN = '•••'
const DIGITS_SHOWN = 2

/**
 * A contact of which a friend recognizes enough and nobody else learns much: the first letter of an e-mail address and of its host with
 * the ending, or the last two digits of a number.
 */
export function maskedContact(email: string | null, phone: string | null): string {
  const [name, host] = email?.split('@') ?? []
  if (name !== undefined && host !== undefined) {
    const ending = host.slice(host.lastIndexOf('.'))
    return `${firstOf(name)}${HIDDEN}@${firstOf(host)}${HIDDEN}${ending}`
  }
  return phone === null ? HIDDEN : `${HIDDEN}${phone.slice(-DIGITS_SHOWN)}`
}

/** A letter may be more than one unit of the text. */
const firstOf = (text: string): string => /^./u.exec(text)?.[0] ?? ''
