import { createConsent } from '../content/legal-texts.ts'
import type { Services } from '../deployment/services.ts'
import { settingsNamed } from '../platform/config/app-settings.ts'
import { refuse } from '../platform/refusal.ts'
import { registerIdentity } from './identity-checks.ts'
import { registerInvitations } from './invitations.ts'
import { findUser, registerOwnData, registerUser } from './profile-routes.ts'
import type { Api } from '../platform/http/api.ts'
import type { Addressee } from '../notices/message-writer.ts'
import { refuseWhenBusy } from '../platform/security/password-hash.ts'
import { type AuthOptions, createAuthServices, type Reauthentication } from './auth-services.ts'
import { registerLogin } from './login.ts'
import { registerPasskeys } from './passkey-routes.ts'
import { registerPassword } from './password-routes.ts'
import { registerRegistration } from './registration.ts'
import { registerSecondFactor } from './second-factor-routes.ts'

/** What other areas use: the checks before a sensitive change such as a payout, and the contact of an account. */
export type AuthForOthers = Pick<Reauthentication, 'checkEither' | 'checkSecondFactor'> & {
  contactOf(userId: number): Promise<Addressee | null>
}

/** Interrupted account closings are completed at the start and at this interval, ms. */
const FINISH_MS = 600_000

/** Registration, log-in, profile, identity checks, own data and invitations. */
export async function registerAccountsArea(services: Services): Promise<AuthForOthers> {
  const { api, deployment, sessions, messageWriter, passkeys, pictures, submitted } = services
  const { settings, engine, vault, hasher, wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const auth = registerAuth(api, {
    queries,
    engine,
    sessions,
    messageWriter,
    onError,
    vault,
    hasher,
    passkeys,
    now,
    findUser: (id) => findUser(queries, id),
    consent: createConsent(queries, now),
    creditScore: () => settings.credit_score,
    registration: settingsNamed(settings, { mode: 'registration_mode', check: 'registration_check' }),
    areas: settingsNamed(settings, { mainArea: 'main_area', blockedAreas: 'blocked_areas' }),
    limits: settingsNamed(settings, {
      demoAccountsPerHour: 'demo_accounts_per_hour',
      captchasPerAddress: 'captchas_per_address',
      failedLoginsPerAddress: 'failed_logins_per_address',
      failedLoginsPerAccount: 'failed_logins_per_account',
      codesPerTarget: 'codes_per_target',
      codesPerAddress: 'codes_per_address',
    }),
  })
  registerUser(api, { queries, engine, now })
  registerInvitations(api, queries)
  registerIdentity(api, {
    queries,
    vault,
    now,
    pictures,
    onSubmitted: () => submitted.emit(null),
    limits: settingsNamed(settings, { checksPerDay: 'identity_checks_per_day' }),
  })
  await openOwnData(services, auth)
  return auth
}

/** The export of a user's own data, and the closing of an account. */
async function openOwnData(
  { server, api, deployment, sessions, messageWriter, pictures }: Services,
  { checkEither, contactOf }: AuthForOthers,
): Promise<void> {
  const { vault, engine, settings, wallClock: now, onError } = deployment
  const { finish } = registerOwnData(api, {
    queries: deployment.database.queries,
    vault,
    engine,
    sessions,
    messageWriter,
    settings,
    now,
    onError,
    contactOf,
    instrumentOf: (id) => {
      const instrument = engine.state().instruments.get(id)
      return { code: instrument?.code ?? String(id), priceDecimals: instrument?.priceDecimals ?? 0 }
    },
    checkProof: async (user, { password, authCode }, purpose) => {
      if (!user.isDemo) return checkEither(user.id, password, authCode, purpose)
      // A demo account has no password. A client that sends one must learn that it was not checked.
      if (password !== null) return refuse('demoHasNoPassword', { field: 'password' })
      return authCode === null ? null : refuse('demoHasNoPassword', { field: 'auth_code' })
    },
    pictureOf: async (userId, key) => {
      const file = await pictures.find(key)
      return file?.userId === userId ? pictures.bytesOf(file) : null
    },
  })
  await finish()
  const finishing = setInterval(() => {
    finish().catch((error: unknown) => onError(error, 'finishing the closing of accounts'))
  }, FINISH_MS)
  server.addHook('onClose', async () => clearInterval(finishing))
}

/** Log-in, registration, passwords and the second factor. */
function registerAuth(api: Api, options: AuthOptions): AuthForOthers {
  const parts = createAuthServices(options)
  registerLogin(api, parts)
  registerRegistration(api, parts)
  registerPassword(api, parts)
  registerSecondFactor(api, parts)
  registerPasskeys(api, parts)
  const { reauthentication, users } = parts
  return {
    checkEither: (...proof) => refuseWhenBusy(() => reauthentication.checkEither(...proof))(null),
    checkSecondFactor: reauthentication.checkSecondFactor,
    contactOf: async (userId) => (await users.byId(userId))?.addressee ?? null,
  }
}
