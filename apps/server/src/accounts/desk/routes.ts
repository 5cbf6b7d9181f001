import type { Statements } from '../../funds/statement/statements.ts'
import type { OrderQueries } from '../../trading/order-queries.ts'
import {
  addUserNote,
  requestAdjustment,
  closeUserOrder,
  getUserProfile,
  getUserEquity,
  getUserStatement,
  listUserLogIns,
  listUserMovements,
  listUserNotes,
  listUserOrders,
  logUserOut,
  usersFile,
  userEquityFile,
  userLogInsFile,
  userMovementsFile,
  userNotesFile,
  userOrdersFile,
  resetUserSecondFactor,
  searchUsers,
  setCreditScore,
  setUserStatus,
} from '@fairlot/contract/desk'
import { equityHistory } from '../../funds/equity.ts'
import { createRecords } from '../../funds/records.ts'
import { STATEMENT_WITHIN_MS } from '../../funds/statement/statements.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { translatorFor } from '../../platform/i18n/translate.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import {
  createAddNote,
  createCloseRequests,
  createSetStatus,
  createUserAccess,
  createUserAccount,
} from './user-actions.ts'
import {
  listKnownLogins,
  listNotes,
  listOwnActivity,
  orderCells,
  profileOf,
  searchUsers as search,
  type UserPage,
} from './user-queries.ts'

/** The period of the equity curve if none is given, ms. */
const CURVE_MS = 30 * 86_400_000

/** The desk is in English, whatever language the browser prefers. */
const english = translatorFor('en')

type Period = { readonly id: number; readonly from: number | null; readonly to: number | null }

type UserParts = { readonly orderQueries: OrderQueries; readonly statements: Statements }

/** Search, profiles and history of users, and operators' actions on them. */
export function registerUsers(services: DeskServices, parts: UserParts): void {
  const { api } = services
  const { database, engine, market } = services.deployment
  api.list(searchUsers, ({ input }, limit) => search(database, input, limit), {
    file: usersFile,
    rowsOf: ({ people }) => people,
  })
  api.operator(getUserProfile, ({ input }) => profileOf(services, input.id))
  registerLists(services, parts)
  const equity = async ({ id, from, to: until }: Period) => {
    await engine.caughtUp()
    const to = until ?? market.now()
    return { points: await equityHistory(database.queries, id, { from: from ?? to - CURVE_MS, to }) }
  }
  api.list(getUserEquity, ({ input }) => equity(input), {
    file: userEquityFile,
    rowsOf: ({ points }) => points,
  })
  registerStatements(services, parts)
  registerUserActions(services)
}

function registerLists(
  { api, queries, deployment, shared }: DeskServices,
  { orderQueries }: UserParts,
): void {
  const records = createRecords(deployment.engine, queries, shared.totals)
  api.list(
    listUserOrders,
    async ({ input: { id, list, page } }, limit) =>
      (await orderQueries.page(id, list, { page, before: null }, limit)) ?? refuse('accountNotFound'),
    { file: userOrdersFile, rowsOf: ({ orders }) => orders.map(orderCells) },
  )
  api.list(listUserMovements, ({ input }, limit) => records.page(input.id, { ...input, limit }, english), {
    file: userMovementsFile,
    rowsOf: ({ records: rows }) => rows,
  })
  const logIns = async (userPage: UserPage, limit?: number) => ({
    sessions: await shared.sessions.list(userPage.id, null),
    knownSince: await listKnownLogins(queries, userPage.id),
    ...(await listOwnActivity(queries, userPage, limit)),
  })
  api.list(listUserLogIns, ({ input }, limit) => logIns(input, limit), {
    file: userLogInsFile,
    rowsOf: ({ acts }) => acts,
  })
  api.list(listUserNotes, ({ input }, limit) => listNotes(queries, input, limit), {
    file: userNotesFile,
    rowsOf: ({ notes }) => notes,
  })
}

/** The download of statements, with an audit entry each. */
function registerStatements({ api, auditLog }: DeskServices, { statements }: UserParts): void {
  api.file(
    getUserStatement,
    async ({ operator, input }) => {
      const { id, ...query } = input
      const file = await statements.write({ ...query, userId: id, language: 'en', translate: english })
      if (isRefusal(file)) return file
      const entry = { operator, act: 'exportStatement', subject: `person:${id}`, accountId: id } as const
      return auditLog.performWithoutReason({ ...entry, after: { file: file.name } }, () =>
        Promise.resolve(file),
      )
    },
    { handlerTimeout: STATEMENT_WITHIN_MS },
  )
}

function registerUserActions(services: DeskServices): void {
  const { api, hub } = services
  const setStatus = createSetStatus(services)
  const access = createUserAccess(services)
  const account = createUserAccount(services)
  const addNote = createAddNote(services)
  const requestClose = createCloseRequests(services)
  const announce = async <T>(done: Promise<T | Refusal> | Refusal): Promise<T | Refusal> => {
    const result = await done
    if (!isRefusal(result)) hub.changed('people')
    return result
  }
  api.operator(setUserStatus, ({ operator, input }) => announce(setStatus(operator, input)))
  api.operator(logUserOut, ({ operator, input }) => announce(access.logOut(operator, input)))
  api.operator(resetUserSecondFactor, ({ operator, input }) =>
    announce(access.resetSecondFactor(operator, input)),
  )
  api.operator(setCreditScore, ({ operator, input }) => announce(account.setCreditScore(operator, input)))
  api.operator(requestAdjustment, ({ operator, input, request }) =>
    announce(account.requestAdjustment(operator, input, request)),
  )
  api.operator(closeUserOrder, ({ operator, input }) => announce(requestClose(operator, input)))
  api.operator(addUserNote, ({ operator, input }) => announce(addNote(operator, input)))
}
