import { narrow, noun, plain, type Codec, type Inside } from '../codec.ts'
import { choice, whole, withDefault } from '../field.ts'
import { typed } from '../typed-field.ts'
import { ROLES, type OperatorRole } from './permissions.ts'

type Codecs = Readonly<Record<string, Codec>>
type Clean<F extends Codecs> = { readonly [Name in keyof F]: Inside<F[Name]> } & {}

/** A noun of the desk: nobody else speaks its wire, so names are the same on both sides. */
export const record = <const F extends Codecs>(fields: F): Codec<Clean<F>> =>
  noun(Object.fromEntries(Object.entries(fields).map(([name, codec]) => [name, [name, codec]]))) as Codec<
    Clean<F>
  >

/** One of a list of words, which are the same on both sides. */
export const word = <const W extends string>(words: readonly W[]): Codec<W> =>
  choice(Object.fromEntries(words.map((each) => [each, each]))) as Codec<string> as Codec<W>

export const role: Codec<OperatorRole> = word(ROLES)

/** True or false, as JSON has it or as the text of a query. */
export const yesNo: Codec<boolean> = narrow(
  plain((value): value is boolean | string => typeof value === 'boolean' || typeof value === 'string', {
    type: ['boolean', 'string'],
  }),
  {
    decode: (value) => {
      if (typeof value === 'boolean') return value
      return value === 'true' ? true : value === 'false' ? false : null
    },
    encode: (value) => value,
    reason: 'notUnderstood',
  },
)

/** Rows of a desk's list that come with one answer. */
export const DESK_PAGE_ROWS = 50

/** Which page of a list, from 1. */
export const deskPage = withDefault(whole(1, 'pageInvalid'), 1)

/** Why an operator does something: the person it touches reads it. Blank ones are refused where the act is performed. */
export const reason = typed

/** Whose money a figure is about: demo and real money are never added up. */
export const ledgerChoice = withDefault(word(['real', 'demo']), 'real')
