import { createHash } from 'node:crypto'
import {
  barrierOf,
  decode,
  encode,
  refusalEnvelope,
  REQUEST_ID_LENGTH_MAX,
  statusOf,
  successEnvelope,
  type Caller,
  type Endpoint,
} from '@fairlot/contract'
import type { Request } from '@fairlot/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describe } from './api-page.ts'
import { tokenOf, type Guard } from './guard.ts'
import { detailsOf, isRefusal, refuse, sentenceOf, type Refusal } from './refusal.ts'
import type { SessionUser } from './sessions.ts'
import { languageCodeOf, languageOf, sayIn, type LanguageCode, type Say } from './words.ts'

/** What a handler gets: the request in clean words, and who sent it. */
export type Call<Input> = {
  readonly input: Input
  readonly say: Say
  readonly language: LanguageCode
  /** The token as it was sent; null without one. */
  readonly token: string | null
  /** The caller's network address. */
  readonly address: string
  /** What the caller's browser calls itself, shortened; empty when it says nothing. */
  readonly device: string
}

/** A call of somebody who is logged in. `request` names the change, where the caller named it. */
export type UserCall<Input> = Call<Input> & {
  readonly user: SessionUser
  readonly request?: Request | undefined
}

type Result<Output> = Promise<Output | Refusal> | Output | Refusal
export type VisitorHandler<Input, Output> = (call: Call<Input>) => Result<Output>
export type UserHandler<Input, Output> = (call: UserCall<Input>) => Result<Output>

/** Binds endpoints of the contract to handlers: paths, guards, decoding, envelopes and languages end here. */
export type Api = {
  visitor<Input, Output>(endpoint: Endpoint<Input, Output>, handler: VisitorHandler<Input, Output>): void
  user<Input, Output>(endpoint: Endpoint<Input, Output>, handler: UserHandler<Input, Output>): void
}

/** The word for a call that went well. */
const DONE = 'done'

/** A call that takes longer waits for a database that does not answer: it is refused, and its outcome stays open. */
const ANSWER_WITHIN_MS = 4_500

type Answering<Output> = (request: FastifyRequest, say: Say) => Promise<Output | Refusal>

export function createApi(server: FastifyInstance, guard: Guard): Api {
  return {
    visitor: (endpoint, handler) =>
      bind(server, guard, endpoint, async (request, say) => {
        const call = callOf(endpoint, request, say)
        return isRefusal(call) ? call : handler(call)
      }),
    user: (endpoint, handler) =>
      bind(server, guard, endpoint, async (request, say) => {
        const user = guard.callerOf(request)
        const barrier = barrierOf(endpoint.access, kindOf(user))
        if (!user || barrier !== null) return refuse(barrier ?? 'sessionGone')
        const call = callOf(endpoint, request, say)
        if (isRefusal(call)) return call
        const named = nameOf(endpoint, user, call.input, request)
        return isRefusal(named) ? named : handler({ ...call, user, request: named })
      }),
  }
}

function bind<Input, Output>(
  server: FastifyInstance,
  guard: Guard,
  endpoint: Endpoint<Input, Output>,
  answer: Answering<Output>,
): void {
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    // Answers hold somebody's money, prices of a moment, or a token: no cache keeps them.
    reply.header('cache-control', 'no-store')
    const refusal = await guard.admit(request, endpoint.access)
    if (refusal) return refused(reply, sayOf(request), refusal)
  }
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const say = sayOf(request)
    const result = await answer(request, say)
    if (isRefusal(result)) return refused(reply, say, result)
    return reply.send(successEnvelope(endpoint.response, result, say(DONE)))
  }
  const route = { url: endpoint.path, handler, handlerTimeout: ANSWER_WITHIN_MS }
  server.route({ ...route, method: endpoint.method, schema: describe(endpoint), onRequest: admit })
  if (!endpoint.alsoGet) return
  // Without its HEAD twin: that would make the change too, and tell nobody.
  server.route({
    ...route,
    method: 'GET',
    exposeHeadRoute: false,
    schema: { hide: true },
    onRequest: [refuseNavigation, admit],
  })
}

function callOf<Input>(endpoint: Endpoint<Input, unknown>, request: FastifyRequest, say: Say) {
  const decoded = decode(endpoint.request, { ...asObject(request.query), ...asObject(request.body) })
  if (!decoded.ok) return refuse(decoded.reason, { field: decoded.field })
  return {
    ...{ input: decoded.value, say, language: languageCodeOf(request.headers['lang']) },
    ...{ token: tokenOf(request), address: request.ip, device: deviceOf(request) },
  }
}

const DEVICE_LENGTH = 160

/** Plain characters only: it is shown in lists and in mails. */
const deviceOf = (request: FastifyRequest): string =>
  (request.headers['user-agent'] ?? '').replace(/[^\w ./;:()+,-]/g, '').slice(0, DEVICE_LENGTH)

export const sayOf = (request: FastifyRequest): Say => sayIn(languageOf(request.headers['lang']))

/** Sends a refusal in the envelope. */
export const refused = (reply: FastifyReply, say: Say, refusal: Refusal): FastifyReply =>
  reply.status(statusOf(refusal.rejected)).send(envelopeOf(say, refusal))

/** A refusal as the JSON of its envelope. */
export const envelopeOf = (say: Say, refusal: Refusal): unknown =>
  refusalEnvelope(refusal.rejected, sentenceOf(say, refusal), detailsOf(refusal))

const asObject = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const kindOf = (user: SessionUser | null): Caller => {
  if (user === null) return 'visitor'
  return user.isDemo ? 'demo' : 'real'
}

/** The caller's own name for a change; the same name with another payload shows by the digest. */
function nameOf<Input>(
  endpoint: Endpoint<Input, unknown>,
  user: SessionUser,
  input: Input,
  request: FastifyRequest,
): Request | undefined | Refusal {
  const header = request.headers['idempotency-key']
  const id = Array.isArray(header) ? header[0] : header
  if (!endpoint.changes || id === undefined || id === '') return undefined
  if (id.length > REQUEST_ID_LENGTH_MAX)
    return refuse('requestIdTooLong', { maximumLength: REQUEST_ID_LENGTH_MAX })
  const payload = JSON.stringify(encode(endpoint.request, input) ?? null)
  const digest = createHash('sha256').update(payload).digest('hex')
  return { accountId: user.id, call: endpoint.name, id, digest }
}

/** A changing call by GET is for old clients with a token in the header, never for a link that somebody follows. */
async function refuseNavigation(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const mode = request.headers['sec-fetch-mode']
  if (mode === 'navigate' || mode === 'no-cors') await refused(reply, sayOf(request), refuse('originRefused'))
}
