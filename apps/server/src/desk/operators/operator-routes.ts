import {
  callOffRecovery,
  changeDeskPassword,
  changeOperator,
  confirmDeskFactor,
  getDeskSelf,
  getOperatorMode,
  type DESK_PASSKEY_PURPOSES,
  inviteOperator,
  isPasskeyCode,
  joinDesk,
  listOperators,
  logInToDesk,
  logOutOfDesk,
  operatorsFile,
  prepareDeskFactor,
  renewDeskFactor,
  renewInvitation,
  resetOperator,
  type DeskOperator as ShownOperator,
  type DeskSelf,
} from '@fairlot/contract/desk'
import { withAttemptLimits, createAttemptLimit } from '../../platform/security/attempt-limits.ts'
import { refuseWhenBusy } from '../../platform/security/password-hash.ts'
import { checkPassword } from '../../platform/security/password-rule.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { readEngine } from '../../engine/calls.ts'
import { operatorOf } from '../desk-api.ts'
import type { DeskServices } from '../desk-services.ts'
import { createDeskLogin } from './desk-login.ts'
import type { DeskSession } from './desk-sessions.ts'
import { registerDeskPasskeys } from './passkey-routes.ts'
import { changeOperatorRow, listOperatorRows, type OperatorRow } from './operators.ts'
import { createOperatorChanges } from './operator-changes.ts'
import { isSlip } from './operator-factor.ts'
import { createRecovery, shownRecovery } from './recovery.ts'

type PasskeyPurpose = (typeof DESK_PASSKEY_PURPOSES)[number]

/** Log-in, one's own account at the desk, and the administration of operators. */
export function registerOperators(services: DeskServices): void {
  const { api, queries, sessions, factor, passkeys, hasher, auditLog, hub, deployment } = services
  const recovery = createRecovery(services)
  const login = createDeskLogin({ ...services, recovery })
  const changes = createOperatorChanges(services)
  const ownTries = createAttemptLimit(() => services.limits.failedLoginsPerAccount)
  const codeTries = createAttemptLimit(() => services.limits.failedLoginsPerAccount)
  /** Limits guessing of the second factor on an unattended page. */
  const checkCode = async ({ operator }: DeskSession, code: string, purpose: PasskeyPurpose) => {
    if (!isPasskeyCode(code) && isSlip(code)) return refuse('secondFactorWrong', { field: 'code' })
    return withAttemptLimits([[codeTries, String(operator.id)]], () =>
      isPasskeyCode(code)
        ? passkeys.prove({ kind: 'operator', id: operator.id }, purpose, code)
        : factor.refusalOf(operator, code),
    )
  }

  const answerLogIn = async (token: string | Refusal) => {
    if (isRefusal(token)) return token
    hub.changed('operators')
    const session = await sessions.find(token, true)
    return session ? { token, self: selfOf(session) } : refuse('sessionGone')
  }

  api.anyone(
    logInToDesk,
    refuseWhenBusy(async ({ input, ...origin }) => answerLogIn(await login.logIn(input, origin))),
  )
  api.anyone(
    joinDesk,
    refuseWhenBusy(async ({ input, ...origin }) => answerLogIn(await login.join(input, origin))),
  )
  registerDeskPasskeys(services, login, answerLogIn)
  api.operator(logOutOfDesk, async ({ session }) => {
    await sessions.end(session.tokenHash)
    return null
  })
  api.operator(getDeskSelf, ({ session }) => selfOf(session))
  api.operator(prepareDeskFactor, ({ session }) => factor.prepare(session.operator))
  api.operator(confirmDeskFactor, async ({ session, input }) => {
    const entry = { operator: operatorOf(session), act: 'ownAccess', subject: subjectOf(session) } as const
    const recoveryCodes = await auditLog.performWithoutReason(
      { ...entry, after: { secondFactor: 'on' } },
      (within) => factor.confirm(session.operator, input.code, within),
    )
    hub.changed('operators')
    if (isRefusal(recoveryCodes)) return recoveryCodes
    await sessions.noteFactor(session.tokenHash)
    await sessions.endAll(session.operator.id, session.tokenHash)
    return { recoveryCodes }
  })
  api.operator(renewDeskFactor, async ({ session, input }) => {
    const entry = { operator: operatorOf(session), act: 'ownAccess', subject: subjectOf(session) } as const
    const checked = await checkCode(session, input.code, 'confirm')
    const refusal = await auditLog.performWithoutReason(
      { ...entry, after: { secondFactor: 'confirmed' } },
      async () => checked,
    )
    if (refusal) return refusal
    await sessions.noteFactor(session.tokenHash)
    return null
  })
  api.operator(
    changeDeskPassword,
    refuseWhenBusy(async ({ session, input }) => {
      const { operator } = session
      // Limits guessing of the password on an unattended page.
      const wrong = await withAttemptLimits([[ownTries, String(operator.id)]], async () =>
        (await hasher.verify(input.oldPassword, operator.password_hash))
          ? null
          : refuse('passwordWrong', { field: 'oldPassword' }),
      )
      if (wrong) return wrong
      const refusal =
        (await checkPassword(input.password, operator.name)) ??
        (await checkCode(session, input.code, 'password'))
      if (refusal) return refusal
      const password_hash = await hasher.hash(input.password)
      const entry = { operator: operatorOf(session), act: 'ownAccess', subject: subjectOf(session) } as const
      await auditLog.performWithoutReason({ ...entry, after: { password: 'changed' } }, async (within) => {
        await changeOperatorRow(within, operator.id, { password_hash })
        return null
      })
      await sessions.endAll(operator.id, session.tokenHash)
      await sessions.noteFactor(session.tokenHash)
      return null
    }),
  )

  api.list(listOperators, async () => ({ operators: (await listOperatorRows(queries)).map(shownOperator) }), {
    file: operatorsFile,
    rowsOf: ({ operators }) => operators,
  })
  api.operator(getOperatorMode, () =>
    readEngine(deployment.engine, (state) => ({
      isSingleOperator: !state.hasSecondOperator,
      recovery: shownRecovery(state.recovery, deployment.market.now()),
    })),
  )
  api.operator(callOffRecovery, ({ operator, input }) => recovery.cancel(operator, input.reason))
  api.operator(inviteOperator, ({ operator, input, request }) => changes.invite(operator, input, request))
  api.operator(renewInvitation, ({ operator, input, request }) => changes.renew(operator, input, request))
  api.operator(resetOperator, ({ operator, input, request }) => changes.reset(operator, input, request))
  api.operator(changeOperator, ({ operator, input, request }) => changes.change(operator, input, request))
}

const subjectOf = ({ operator }: DeskSession): string => `operator:${operator.id}`

const selfOf = ({ operator, idleEndsAt, endsAt }: DeskSession): DeskSelf => ({
  id: operator.id,
  name: operator.name,
  role: operator.role,
  idleEndsAt,
  endsAt,
  needsSecondFactor: operator.totp_confirmed_at === null,
})

function shownOperator(row: OperatorRow): ShownOperator {
  const isOn = row.is_on === 1n
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    createdAt: Number(row.created_at),
    status: isOn ? (row.password_hash === null ? 'invited' : 'active') : 'off',
    hasSecondFactor: row.totp_confirmed_at !== null,
    lastSeenAt: row.last_seen_at === null ? null : Number(row.last_seen_at),
  }
}
