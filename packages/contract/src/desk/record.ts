import { refine, object, plain, type Codec, type Expected, type Infer } from '../protocol/codec.ts'
import { choice, int, withDefault } from '../protocol/field.ts'
import { userText } from '../protocol/user-text.ts'
import { ROLES, type OperatorRole } from './permissions.ts'

type Field = Codec | readonly [wireName: string, codec: Codec]
type Fields = Readonly<Record<string, Field>>
type CodecOf<F extends Field> = F extends readonly [string, infer C extends Codec]
  ? C
  : F extends Codec
    ? F
    : never
type Clean<F extends Fields> = { readonly [Name in keyof F]: Infer<CodecOf<F[Name]>> } & {}

/** An object of the desk's API. A field has the same name on the wire, unless it is given with another one. */
export const record = <const F extends Fields>(fields: F): Codec<Clean<F>> =>
  object(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, 'read' in field ? [name, field] : field]),
    ),
  ) as Codec<Clean<F>>

/** One of a list of texts, equal on the wire. */
export const enumeration = <const W extends string>(words: readonly W[]): Codec<W> =>
  choice(Object.fromEntries(words.map((each) => [each, each]))) as Codec<string> as Codec<W>

export const role: Codec<OperatorRole> = enumeration(ROLES)

const TRUE_OR_FALSE: Expected = { expected: 'choice', choices: 'true, false' }

/** True or false, as JSON has it or as the text of a query. */
export const yesNo: Codec<boolean> = refine(
  plain(
    (value): value is boolean | string => typeof value === 'boolean' || typeof value === 'string',
    { type: ['boolean', 'string'] },
    'notUnderstood',
    TRUE_OR_FALSE,
  ),
  {
    decode: (value) => {
      if (typeof value === 'boolean') return value
      return value === 'true' ? true : value === 'false' ? false : null
    },
    encode: (value) => value,
    reason: 'notUnderstood',
    expected: TRUE_OR_FALSE,
  },
)

/** Rows per page of the desk's lists. */
export const DESK_PAGE_ROWS = 50

/** The page of a list, from 1. */
export const deskPage = withDefault(int(1, 'pageInvalid'), 1)

/**
 * The reason of an operator's action, shown to the user concerned. A blank one is refused where the action is done.
 */
export const reason = userText

/** The ledger of a figure: demo and real money are never added up. */
export const ledgerChoice = withDefault(enumeration(['real', 'demo']), 'real')
