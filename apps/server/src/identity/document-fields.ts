import type { IdentityForm } from '@fairlot/contract'
import { refuse, type Refusal } from '../http/refusal.ts'

/** Letters of any script with the signs of names; nothing that has a meaning in a page. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .,'’·‐-]{1,99}$/u
const NUMBER = /^[\p{L}\p{N}][\p{L}\p{N} ()./-]{3,39}$/u

/** Where in the wire's form something is wrong. */
export const WIRE_FIELDS = {
  name: 'name',
  number: 'card_id',
  front: 'front_pic',
  reverse: 'reverse_pic',
} as const

/** Why a name or number cannot be one. */
export function refusalOfWords({ name, number }: Pick<IdentityForm, 'name' | 'number'>): Refusal | null {
  if (name !== null && !NAME.test(name)) return refuse('identityNameInvalid', { field: WIRE_FIELDS.name })
  return number === null || NUMBER.test(number)
    ? null
    : refuse('identityNumberInvalid', { field: WIRE_FIELDS.number })
}

const MASK = '••••••'
const LONG = 8

/** Enough of a number to know it again. */
export const maskedNumber = (number: string): string => MASK + number.slice(number.length < LONG ? -2 : -4)
