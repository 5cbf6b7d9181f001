import {
  createDemoAccount,
  endSession,
  listSessions,
  logIn,
  logOut,
  logOutEverywhere,
} from '@fairlot/contract'
import type { Api } from '../plugins/api.ts'
import { createLimit, networkOf } from '../plugins/limits.ts'
import { isRefusal, refuse } from '../plugins/refusal.ts'
import { newSecret, secretHash } from '../plugins/sessions.ts'
import { createLogin } from './login.ts'
import { createParts, inTurn, openAccount, type SessionOptions, type SessionParts } from './parts.ts'
import { registerPassword } from './password-routes.ts'
import { registerRegistration } from './registration-routes.ts'
import { registerSecondFactor } from './second-factor-routes.ts'
import type { Proof } from './proof.ts'
import { addUser } from './users.ts'

const HOUR_S = 3_600

/** Answers what other areas ask of a user before something grave, as a payout is. */
export function registerSession(api: Api, options: SessionOptions): Proof {
  const parts = createParts(options)
  registerLogin(api, parts)
  registerRegistration(api, parts)
  registerPassword(api, parts)
  registerSecondFactor(api, parts)
  return parts.proof
}

function registerLogin(api: Api, parts: SessionParts): void {
  const { queries, engine, sessions } = parts
  const demoAccounts = createLimit(parts.limits.demoAccountsPerHour, HOUR_S)
  const login = createLogin(parts)

  api.visitor(createDemoAccount, async ({ address }) => {
    if (!(await demoAccounts(networkOf(address)))) return refuse('tooManyRequests')
    const id = await openAccount(engine, 'demo')
    if (isRefusal(id)) return id
    const demoId = newSecret()
    // A crash before this leaves an account whose secret nobody was told: without an owner, and without an effect.
    await addUser(parts, { id, demoHash: secretHash(demoId) }, queries)
    return { demoId }
  })

  api.visitor(
    logIn,
    inTurn(({ input, ...origin }) =>
      'demoId' in input ? login.withDemoId(input.demoId, origin) : login.withPassword(input, origin),
    ),
  )

  api.user(logOut, async ({ token }) => {
    if (token !== null) await sessions.end(token)
    return null
  })

  api.user(logOutEverywhere, async ({ user }) => {
    await sessions.endAll(user.id)
    return null
  })

  api.user(listSessions, ({ user, token }) => sessions.list(user.id, token))

  api.user(endSession, async ({ user, input }) =>
    (await sessions.endById(user.id, input.id)) ? null : refuse('sessionUnknown'),
  )
}
