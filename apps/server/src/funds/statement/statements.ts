import { STATEMENT_DAYS_MAX, type StatementQuery, type User } from '@fairlot/contract'
import type { Queries } from '../../platform/database/open.ts'
import type { Engine } from '../../engine/engine.ts'
import type { FileAnswer } from '../../platform/http/file-transfer.ts'
import { createSemaphore } from '../../platform/concurrency.ts'
import { refuse, type Refusal } from '../../platform/refusal.ts'
import { tagOf, type LanguageCode, type Translate } from '../../platform/i18n/translate.ts'
import { statementCsv } from './statement-csv.ts'
import { documentOf, type InstrumentOf, type StatementHead, statementText } from './statement-document.ts'
import { printPdf } from './statement-pdf.ts'
import { statementOf } from './statement.ts'

const DAY_MS = 86_400_000
/** The most movements, and the most positions: a thousand take 25 pages, and 400 MB while they are typeset. */
const ROWS_MAX = { pdf: 1_000, csv: 50_000 }
/** Statements that are created at once, and the most that wait. */
const AT_ONCE = 1
const WAITING_MAX = 50

/** The longest time a statement may take, including waiting, ms. */
export const STATEMENT_WITHIN_MS = 90_000

export type StatementServices = {
  readonly queries: Queries
  readonly engine: Pick<Engine, 'caughtUp'>
  /** The market's clock, epoch ms. */
  readonly now: () => number
  readonly findUser: (id: number) => Promise<User | null>
  readonly instrumentOf: InstrumentOf
  /** The issuing company, and the currency of the amounts. */
  readonly broker: { readonly company: string; readonly currency: string }
}

export type StatementRequest = StatementQuery & {
  readonly userId: number
  readonly language: LanguageCode
  readonly translate: Translate
}

/** Statements of accounts as files. */
export type Statements = { write(request: StatementRequest): Promise<FileAnswer | Refusal> }

export function createStatements(services: StatementServices): Statements {
  const queue = createSemaphore(AT_ONCE, WAITING_MAX)
  return {
    write: async (request) => {
      const days = (request.to - request.from) / DAY_MS + 1
      if (days < 1 || days > STATEMENT_DAYS_MAX || request.from > services.now())
        return refuse('statementPeriodInvalid', { field: 'from', most: STATEMENT_DAYS_MAX })
      const release = await queue.acquire(1)
      if (!release) return refuse('tooManyRequests')
      try {
        return await statementFile(services, request)
      } finally {
        release()
      }
    },
  }
}

async function statementFile(
  services: StatementServices,
  request: StatementRequest,
): Promise<FileAnswer | Refusal> {
  const { queries, engine, instrumentOf } = services
  const { userId, from, to, format, language, translate } = request
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
  { findUser, broker, now }: StatementServices,
  userId: number,
): Promise<StatementHead | null> {
  const user = await findUser(userId)
  if (!user) return null
  const { uid, isDemo, email, phone, areaCode } = user
  const holder = email ?? (phone === null ? '' : `+${areaCode ?? ''} ${phone}`)
  return {
    uid,
    isDemo,
    holder,
    generatedAt: now(),
    company: broker.company,
    currency: broker.currency,
  }
}
