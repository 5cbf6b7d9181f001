import { latinDigits } from '@fairlot/core/decimal'
import { plainLine } from './plain-text.ts'

/**
 * A code of digits as it is typed or pasted: in the digits of any script, with spaces, hyphens or invisible characters around
 * and between them ("123 456", "１２３-４５６"). Other text comes back without invisible characters and surrounding space.
 */
export function typedCode(text: string): string {
  const line = plainLine(text)
  const digits = latinDigits(line).replace(/[\s\p{Cf}\p{Pd}]/gu, '')
  return /^\d+$/.test(digits) ? digits : line
}
