import { createHash } from 'node:crypto'
import {
  decode,
  refusalEnvelope,
  REQUEST_ID_LENGTH_MAX,
  statusOf,
  successEnvelope,
  toJsonSchema,
  type Endpoint,
} from '@fairlot/contract'
import { encode } from '@fairlot/contract'
import type { Request } from '@fairlot/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { detailsOf, isRefusal, refuse, sentenceOf, type Refusal } from './refusal.ts'
import type { Sessions, SessionUser } from './sessions.ts'
import { languageOf, sayIn, type Say } from './words.ts'

/** What a handler gets: the request in clean words, and who sent it. */
export type Call<Input> = {
  readonly input: Input
  readonly say: Say
  /** The token as it was sent; null without one. */
  readonly token: string | null
  /** The caller's network address, epochs of limits count by it. */
  readonly address: string
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

export function createApi(server: FastifyInstance, sessions: Sessions): Api {
  const bind = <Input, Output>(
    endpoint: Endpoint<Input, Output>,
    answer: (request: FastifyRequest, say: Say) => Promise<Output | Refusal>,
  ) => {
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const say = sayOf(request)
      const result = await answer(request, say)
      if (isRefusal(result)) return refused(reply, say, result)
      return reply.send(successEnvelope(endpoint.response, result, say(DONE)))
    }
    server.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: describe(endpoint),
      handler: handle,
    })
    if (endpoint.alsoGet) {
      server.route({
        method: 'GET',
        url: endpoint.path,
        schema: { hide: true },
        preHandler: refuseNavigation,
        handler: handle,
      })
    }
  }

  const callOf = <Input>(endpoint: Endpoint<Input, unknown>, request: FastifyRequest, say: Say) => {
    const decoded = decode(endpoint.request, { ...asObject(request.query), ...asObject(request.body) })
    if (!decoded.ok) return refuse(decoded.reason, { field: decoded.field })
    return { input: decoded.value, say, token: tokenOf(request), address: request.ip }
  }

  return {
    visitor: (endpoint, handler) =>
      bind(endpoint, async (request, say) => {
        const call = callOf(endpoint, request, say)
        return isRefusal(call) ? call : handler(call)
      }),
    user: (endpoint, handler) =>
      bind(endpoint, async (request, say) => {
        const token = tokenOf(request)
        const user = token === null ? null : await sessions.userOf(token)
        if (!user) return refuse('sessionGone')
        if (endpoint.access === 'real' && user.isDemo) return refuse('realOnly')
        const call = callOf(endpoint, request, say)
        if (isRefusal(call)) return call
        const named = nameOf(endpoint, user, call.input, request)
        return isRefusal(named) ? named : handler({ ...call, user, request: named })
      }),
  }
}

export const sayOf = (request: FastifyRequest): Say => {
  const { lang } = request.headers
  return sayIn(languageOf(Array.isArray(lang) ? lang[0] : lang))
}

/** Sends a refusal in the envelope. */
export const refused = (reply: FastifyReply, say: Say, refusal: Refusal): FastifyReply =>
  reply
    .status(statusOf(refusal.rejected))
    .send(refusalEnvelope(refusal.rejected, sentenceOf(say, refusal), detailsOf(refusal)))

/** The token as it is, or behind "Bearer ". */
function tokenOf(request: FastifyRequest): string | null {
  const { authorization } = request.headers
  const token = authorization?.replace(/^Bearer /i, '').trim()
  return token === undefined || token === '' ? null : token
}

const asObject = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

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

/** For the API page only: requests and answers are checked by their codecs. */
function describe(endpoint: Endpoint): Record<string, unknown> {
  const { name, summary, access, method } = endpoint
  const request = toJsonSchema(endpoint.request)
  const isObject = request['type'] === 'object'
  return {
    operationId: name,
    summary,
    tags: [endpoint.path.split('/').at(-2) ?? 'api'],
    ...(access === 'visitor' ? {} : { security: [{ token: [] }] }),
    ...(isObject && { [method === 'GET' ? 'querystring' : 'body']: request }),
    response: { 200: envelopeOf(toJsonSchema(endpoint.response)) },
  }
}

const envelopeOf = (data: Record<string, unknown>) => ({
  type: 'object',
  properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
})
