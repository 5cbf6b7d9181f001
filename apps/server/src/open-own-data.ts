import type { FastifyInstance } from 'fastify'
import type { AuthForOthers } from './auth/routes.ts'
import type { Deployment } from './deployment.ts'
import type { TraderParts } from './desk/desk-services.ts'
import type { Api } from './http/api.ts'
import { registerOwnData } from './user/routes.ts'

/** Closings that a crash or an absent database has cut short are finished at the start, and this often, ms. */
const FINISH_MS = 600_000

/** One's own data and the end of an account: what the user's area needs of the others. */
export async function openOwnData(
  { server, api }: { readonly server: FastifyInstance; readonly api: Api },
  { database, vault, engine, settings, wallClock: now, onError }: Deployment,
  { sessions, notifier, pictures }: TraderParts,
  { ofEither, contactOf }: AuthForOthers,
): Promise<void> {
  const { finish } = registerOwnData(api, {
    ...{ queries: database.queries, vault, engine, sessions, notifier, settings, now, onError, contactOf },
    instrumentOf: (id) => {
      const instrument = engine.state().instruments.get(id)
      return { code: instrument?.code ?? String(id), priceDecimals: instrument?.priceDecimals ?? 0 }
    },
    checkProof: async (user, { password, authCode }) =>
      user.isDemo ? null : ofEither(user.id, password, authCode),
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
