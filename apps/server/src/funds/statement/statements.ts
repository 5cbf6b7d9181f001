import { STATEMENT_DAYS_MAX, type StatementQuery, type User } from '@fairlot/contract'
import type { Queries } from '../../database/open.ts'
import type { Engine } from '../../engine/engine.ts'
import type { FileAnswer } from '../../http/file-answer.ts'
import { createRoom } from '../../http/room.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import { tagOf, type LanguageCode, type Translate } from '../../i18n/translate.ts'
import { statementCsv } from './statement-csv.ts'
import { documentOf, type InstrumentOf, type StatementHead } from './statement-document.ts'
import { printPdf } from './statement-pdf.ts'
import { statementText } from './statement-text.ts'
import { statementOf } from './statement.ts'

const DAY_MS = 86_400_000
/** Rows of one kind: a thousand on paper are 25 pages and 400 MB while they are set. Longer ones are for spreadsheets. */
const ROWS_MAX = { pdf: 1_000, csv: 50_000 }
/** Statements that are made at once, and how many wait. */
const AT_ONCE = 1
const WAITING_MAX = 50

/** The longest that a statement may take with its wait, ms. */
export const STATEMENT_WITHIN_MS = 90_000

export type StatementServices = {
  readonly queries: Queries
  readonly engine: Pick<Engine, 'caughtUp'>
  /** The market's clock, epoch ms. */
  readonly now: () => number
  readonly findUser: (id: number) => Promise<User | null>
  readonly instrumentOf: InstrumentOf
  /** Who sends it, and what its amounts are in. */
  readonly house: { readonly company: string; readonly currency: string }
}

/** Whose statement, and for whom it is written. */
export type StatementWish = StatementQuery & {
  readonly userId: number
  readonly language: LanguageCode
  readonly translate: Translate
}

/** Statements of accounts as files. */
export type Statements = { write(wish: StatementWish): Promise<FileAnswer | Refusal> }

export function createStatements(services: StatementServices): Statements {
  const room = createRoom(AT_ONCE, WAITING_MAX)
  return {
    write: async (wish) => {
      const days = (wish.to - wish.from) / DAY_MS + 1
      if (days < 1 || days > STATEMENT_DAYS_MAX || wish.from > services.now())
        return refuse('statementPeriodInvalid', { field: 'from', most: STATEMENT_DAYS_MAX })
      const leave = await room.take(1)
      if (!leave) return refuse('tooManyRequests')
      try {
        return await written(services, wish)
      } finally {
        leave()
      }
    },
  }
}

async function written(services: StatementServices, wish: StatementWish): Promise<FileAnswer | Refusal> {
  const { queries, engine, instrumentOf } = services
  const { userId, from, to, format, language, translate } = wish
  await engine.caughtUp()
  const head = await headOf(services, userId)
  if (!head) return refuse('accountNotFound')
  const rowsMax = ROWS_MAX[format]
  const statement = await statementOf(queries, userId, { from, to: to + DAY_MS, rowsMax })
  if (!statement) return refuse('statementTooLong', { most: rowsMax, field: 'to' })
  const name = `statement-${head.uid}-${dayOf(from)}-${dayOf(to)}.${format}`
  if (format === 'csv') {
    const text = await statementCsv(statement, head, { translate, instrumentOf })
    return { bytes: Buffer.from(text), type: 'text/csv; charset=utf-8', name }
  }
  const tag = tagOf(language)
  const reader = { tag, translate, instrumentOf, text: statementText(tag) }
  return { bytes: await printPdf(documentOf(statement, head, reader)), type: 'application/pdf', name }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

async function headOf(
  { findUser, house, now }: StatementServices,
  userId: number,
): Promise<StatementHead | null> {
  const user = await findUser(userId)
  if (!user) return null
  const { uid, isDemo, email, phone, areaCode } = user
  const holder = email ?? (phone === null ? '' : `+${areaCode ?? ''} ${phone}`)
  return { ...{ uid, isDemo, holder, generatedAt: now() }, company: house.company, currency: house.currency }
}
