import {
  changeDeskPassword,
  changeOperator,
  confirmDeskFactor,
  getDeskSelf,
  inviteOperator,
  joinDesk,
  listOperators,
  logInToDesk,
  logOutOfDesk,
  operatorsFile,
  prepareDeskFactor,
  renewInvitation,
  resetOperator,
  type DeskOperator as ShownOperator,
  type DeskSelf,
} from '@fairlot/contract/desk'
import { counted, createAttempts } from '../../auth/attempt-limits.ts'
import { inTurn } from '../../auth/auth-services.ts'
import { refusalOfPassword } from '../../auth/password-rule.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { operatorOf } from '../desk-api.ts'
import type { DeskServices } from '../desk-services.ts'
import { createDeskLogin } from './desk-login.ts'
import type { DeskSession } from './desk-sessions.ts'
import { changeOperatorRow, listOperatorRows, type OperatorRow } from './operator-repository.ts'
import { createOperatorChanges } from './operator-changes.ts'

/** Log-in, one's own account at the desk, and the administration of operators. */
export function registerOperators(services: DeskServices): void {
  const { api, queries, sessions, factor, hasher, acts, hub } = services
  const login = createDeskLogin(services)
  const changes = createOperatorChanges(services)
  const ownTries = createAttempts(() => services.limits.failedLoginsPerAccount)

  const entered = async (token: string | Refusal) => {
    if (isRefusal(token)) return token
    hub.changed('operators')
    const session = await sessions.find(token, true)
    return session ? { token, self: selfOf(session) } : refuse('sessionGone')
  }

  api.anyone(
    logInToDesk,
    inTurn(async ({ input, address, device }) => entered(await login.logIn(input, { address, device }))),
  )
  api.anyone(
    joinDesk,
    inTurn(async ({ input, address, device }) => entered(await login.join(input, { address, device }))),
  )
  api.operator(logOutOfDesk, async ({ session }) => {
    await sessions.end(session.tokenHash)
    return null
  })
  api.operator(getDeskSelf, ({ session }) => selfOf(session))
  api.operator(prepareDeskFactor, ({ session }) => factor.prepare(session.operator))
  api.operator(confirmDeskFactor, async ({ session, input }) => {
    const act = { operator: operatorOf(session), act: 'ownAccess', subject: subjectOf(session) } as const
    const recoveryCodes = await acts.note({ ...act, after: { secondFactor: 'on' } }, (within) =>
      factor.confirm(session.operator, input.code, within),
    )
    hub.changed('operators')
    return isRefusal(recoveryCodes) ? recoveryCodes : { recoveryCodes }
  })
  api.operator(
    changeDeskPassword,
    inTurn(async ({ session, input }) => {
      const { operator } = session
      // A page that was left open is no place to guess at the password.
      const wrong = await counted([[ownTries, String(operator.id)]], async () =>
        (await hasher.verify(input.oldPassword, operator.password_hash))
          ? null
          : refuse('passwordWrong', { field: 'oldPassword' }),
      )
      if (wrong) return wrong
      const refusal =
        (await refusalOfPassword(input.password, operator.name)) ??
        (await factor.refusalOf(operator, input.code))
      if (refusal) return refusal
      const password_hash = await hasher.hash(input.password)
      const act = { operator: operatorOf(session), act: 'ownAccess', subject: subjectOf(session) } as const
      await acts.note({ ...act, after: { password: 'changed' } }, async (within) => {
        await changeOperatorRow(within, operator.id, { password_hash })
        return null
      })
      await sessions.endAll(operator.id, session.tokenHash)
      return null
    }),
  )

  api.list(listOperators, async () => ({ operators: (await listOperatorRows(queries)).map(shownOperator) }), {
    ...{ file: operatorsFile, rowsOf: ({ operators }) => operators },
  })
  api.operator(inviteOperator, ({ operator, input, request }) => changes.invite(operator, input, request))
  api.operator(renewInvitation, ({ operator, input }) => changes.renew(operator, input))
  api.operator(resetOperator, ({ operator, input }) => changes.reset(operator, input))
  api.operator(changeOperator, ({ operator, input, request }) => changes.change(operator, input, request))
}

const subjectOf = ({ operator }: DeskSession): string => `operator:${operator.id}`

const selfOf = ({ operator, idleEndsAt, endsAt }: DeskSession): DeskSelf => ({
  ...{ id: operator.id, name: operator.name, role: operator.role, idleEndsAt, endsAt },
  needsSecondFactor: operator.totp_confirmed_at === null,
})

function shownOperator(row: OperatorRow): ShownOperator {
  const isOn = row.is_on === 1n
  return {
    ...{ id: row.id, name: row.name, role: row.role, createdAt: Number(row.created_at) },
    status: isOn ? (row.password_hash === null ? 'invited' : 'active') : 'off',
    hasSecondFactor: row.totp_confirmed_at !== null,
    lastSeenAt: row.last_seen_at === null ? null : Number(row.last_seen_at),
  }
}
