import { latinDigits } from '@fairlot/core/decimal'

/**
 * A code of digits as it is typed or pasted: in the digits of any of our scripts, with spaces, hyphens or marks of direction
 * around and between them ("123 456", "１２３-４５６"). Other text comes back as it is, without spaces around it.
 */
export function typedCode(text: string): string {
  const plain = latinDigits(text).replace(/[\s\p{Cf}\p{Pd}]/gu, '')
  return /^\d+$/.test(plain) ? plain : text.trim()
}
