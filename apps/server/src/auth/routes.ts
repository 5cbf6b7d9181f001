import {
  createDemoAccount,
  endSession,
  listSessions,
  logIn,
  logOut,
  logOutEverywhere,
} from '@fairlot/contract'
import type { Api } from '../http/api.ts'
import { noteActivity } from '../database/user-activity.ts'
import { createLimit, networkOf } from '../http/rate-limits.ts'
import { isRefusal, refuse } from '../http/refusal.ts'
import { newSecret, secretHash } from '../http/login-sessions.ts'
import type { Addressee } from '../notifications/notifier.ts'
import { createLogin } from './login.ts'
import {
  createAuthServices,
  inTurn,
  openAccount,
  type AuthOptions,
  type AuthServices,
} from './auth-services.ts'
import { registerPassword } from './password-routes.ts'
import { registerRegistration } from './registration-routes.ts'
import { registerSecondFactor } from './second-factor-routes.ts'
import type { Reauthentication } from './reauthentication.ts'
import { addUser } from './users.ts'

const HOUR_S = 3_600

/** What other areas ask of a user before something grave, as a payout is, and where news of an account go. */
export type AuthForOthers = Pick<Reauthentication, 'ofEither' | 'ofSecondFactor'> & {
  contactOf(userId: number): Promise<Addressee | null>
}

export function registerAuth(api: Api, options: AuthOptions): AuthForOthers {
  const parts = createAuthServices(options)
  registerLogin(api, parts)
  registerRegistration(api, parts)
  registerPassword(api, parts)
  registerSecondFactor(api, parts)
  const { reauthentication, members } = parts
  return {
    ofEither: (...asked) => inTurn(() => reauthentication.ofEither(...asked))(null),
    ofSecondFactor: reauthentication.ofSecondFactor,
    contactOf: async (userId) => (await members.byId(userId))?.addressee ?? null,
  }
}

function registerLogin(api: Api, parts: AuthServices): void {
  const { queries, engine, sessions } = parts
  const demoAccounts = createLimit(() => parts.limits.demoAccountsPerHour, HOUR_S)
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

  api.user(logOutEverywhere, async ({ user, address, device }) => {
    await sessions.endAll(user.id)
    const what = { userId: user.id, kind: 'loggedOutEverywhere' } as const
    await noteActivity(queries, { ...what, at: parts.now(), address, device })
    return null
  })

  api.user(listSessions, ({ user, token }) => sessions.list(user.id, token))

  api.user(endSession, async ({ user, input, address, device }) => {
    if (!(await sessions.endById(user.id, input.id))) return refuse('sessionUnknown')
    await noteActivity(queries, {
      ...{ userId: user.id, kind: 'sessionEnded', at: parts.now(), address, device },
    })
    return null
  })
}
