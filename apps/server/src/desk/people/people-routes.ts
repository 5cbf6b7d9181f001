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
import { listKnown, listNotes, listOwnActs } from './person-lists.ts'
import { profileOf } from './profile.ts'
import { searchPeople as search } from './search.ts'
import { createSetStatus } from './set-status.ts'

/** The curve of equity without a period, ms. */
const CURVE_MS = 30 * 86_400_000

/** The desk speaks English, whatever the browser asks for. */
const english = translatorFor('en')

/** Finding somebody, all there is to know about them, and what operators may do. */
export function registerPeople(services: DeskServices): void {
  const { api } = services
  const { database, engine, market } = services.deployment
  api.operator(searchPeople, ({ input }) => search(database, input.query, input.page))
  api.operator(getPerson, ({ input }) => profileOf(services, input.id))
  registerLists(services)
  api.operator(getPersonEquity, async ({ input }) => {
    await engine.caughtUp()
    const to = input.to ?? market.now()
    const points = await equityHistory(database.queries, input.id, { from: input.from ?? to - CURVE_MS, to })
    return { points }
  })
  registerStatements(services)
  registerActs(services)
}

function registerLists({ api, queries, deployment, traders }: DeskServices): void {
  const records = createRecords(deployment.engine, queries, traders.totals)
  api.operator(
    listPersonOrders,
    async ({ input: { id, list, page } }) =>
      (await traders.orderQueries.page(id, list, page)) ?? refuse('accountNotFound'),
  )
  api.operator(listPersonMovements, ({ input }) => records.page(input.id, input, english))
  api.operator(listPersonLogIns, async ({ input }) => ({
    sessions: await traders.sessions.list(input.id, null),
    knownSince: await listKnown(queries, input.id),
    ...(await listOwnActs(queries, input)),
  }))
  api.operator(listPersonNotes, ({ input }) => listNotes(queries, input))
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
  api.operator(askPersonAdjustment, ({ operator, input }) => told(account.askAdjustment(operator, input)))
  api.operator(closePersonOrder, ({ operator, input }) => told(account.closeOrder(operator, input)))
  api.operator(addPersonNote, ({ operator, input }) => told(addNote(operator, input)))
}
