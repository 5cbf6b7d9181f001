import {
  addPersonNote,
  askPersonAdjustment,
  closePersonOrder,
  getPerson,
  getPersonEquity,
  getPersonStatement,
  listPersonLogIns,
  listPersonMovements,
  listPersonNotes,
  listPersonOrders,
  logPersonOut,
  peopleFile,
  personEquityFile,
  personLogInsFile,
  personMovementsFile,
  personNotesFile,
  personOrdersFile,
  resetPersonSecondFactor,
  searchPeople,
  setCreditScore,
  setPersonStatus,
} from '@fairlot/contract/desk'
import { equityHistory } from '../../funds/equity-history.ts'
import { createRecords } from '../../funds/records.ts'
import { STATEMENT_WITHIN_MS } from '../../funds/statement/statements.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { translatorFor } from '../../i18n/translate.ts'
import type { DeskServices } from '../desk-services.ts'
import { createAddNote } from './add-note.ts'
import { createPersonAccess } from './person-access.ts'
import { createPersonAccount } from './person-account.ts'
import { type Asked, listKnown, listNotes, listOwnActs } from './person-lists.ts'
import { orderCells } from './order-cells.ts'
import { profileOf } from './profile.ts'
import { searchPeople as search } from './search.ts'
import { createSetStatus } from './set-status.ts'

/** The curve of equity without a period, ms. */
const CURVE_MS = 30 * 86_400_000

/** The desk speaks English, whatever the browser asks for. */
const english = translatorFor('en')

type Period = { readonly id: number; readonly from: number | null; readonly to: number | null }

/** Finding somebody, all there is to know about them, and what operators may do. */
export function registerPeople(services: DeskServices): void {
  const { api } = services
  const { database, engine, market } = services.deployment
  api.list(searchPeople, ({ input }, limit) => search(database, input, limit), {
    ...{ file: peopleFile, rowsOf: ({ people }) => people },
  })
  api.operator(getPerson, ({ input }) => profileOf(services, input.id))
  registerLists(services)
  const equity = async ({ id, from, to: until }: Period) => {
    await engine.caughtUp()
    const to = until ?? market.now()
    return { points: await equityHistory(database.queries, id, { from: from ?? to - CURVE_MS, to }) }
  }
  api.list(getPersonEquity, ({ input }) => equity(input), {
    ...{ file: personEquityFile, rowsOf: ({ points }) => points },
  })
  registerStatements(services)
  registerActs(services)
}

function registerLists({ api, queries, deployment, traders }: DeskServices): void {
  const records = createRecords(deployment.engine, queries, traders.totals)
  api.list(
    listPersonOrders,
    async ({ input: { id, list, page } }, limit) =>
      (await traders.orderQueries.page(id, list, page, limit)) ?? refuse('accountNotFound'),
    { file: personOrdersFile, rowsOf: ({ orders }) => orders.map(orderCells) },
  )
  api.list(listPersonMovements, ({ input }, limit) => records.page(input.id, { ...input, limit }, english), {
    file: personMovementsFile,
    rowsOf: ({ records: rows }) => rows,
  })
  const logIns = async (asked: Asked, limit?: number) => ({
    sessions: await traders.sessions.list(asked.id, null),
    knownSince: await listKnown(queries, asked.id),
    ...(await listOwnActs(queries, asked, limit)),
  })
  api.list(listPersonLogIns, ({ input }, limit) => logIns(input, limit), {
    ...{ file: personLogInsFile, rowsOf: ({ acts }) => acts },
  })
  api.list(listPersonNotes, ({ input }, limit) => listNotes(queries, input, limit), {
    ...{ file: personNotesFile, rowsOf: ({ notes }) => notes },
  })
}

/** Who takes a statement with them is among the acts. */
function registerStatements({ api, acts, traders: { statements } }: DeskServices): void {
  api.file(
    getPersonStatement,
    async ({ operator, input }) => {
      const { id, ...wish } = input
      const file = await statements.write({ ...wish, userId: id, language: 'en', translate: english })
      if (isRefusal(file)) return file
      const act = { operator, act: 'exportStatement', subject: `person:${id}`, accountId: id } as const
      return acts.note({ ...act, after: { file: file.name } }, () => Promise.resolve(file))
    },
    { handlerTimeout: STATEMENT_WITHIN_MS },
  )
}

function registerActs(services: DeskServices): void {
  const { api, hub } = services
  const setStatus = createSetStatus(services)
  const access = createPersonAccess(services)
  const account = createPersonAccount(services)
  const addNote = createAddNote(services)
  const told = async <T>(done: Promise<T | Refusal> | Refusal): Promise<T | Refusal> => {
    const result = await done
    if (!isRefusal(result)) hub.changed('people')
    return result
  }
  api.operator(setPersonStatus, ({ operator, input }) => told(setStatus(operator, input)))
  api.operator(logPersonOut, ({ operator, input }) => told(access.logOut(operator, input)))
  api.operator(resetPersonSecondFactor, ({ operator, input }) =>
    told(access.resetSecondFactor(operator, input)),
  )
  api.operator(setCreditScore, ({ operator, input }) => told(account.setCreditScore(operator, input)))
  api.operator(askPersonAdjustment, ({ operator, input, request }) =>
    told(account.askAdjustment(operator, input, request)),
  )
  api.operator(closePersonOrder, ({ operator, input }) => told(account.closeOrder(operator, input)))
  api.operator(addPersonNote, ({ operator, input }) => told(addNote(operator, input)))
}
