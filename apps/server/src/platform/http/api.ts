import { createHash } from 'node:crypto'
import multipart from '@fastify/multipart'
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
  type Operation,
} from '@fairlot/contract'
import type { Request } from '@fairlot/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type FileAnswer,
  readRest,
  sendFile,
  type SentFile,
  sentFileOf,
  UPLOAD_WITHIN_MS,
} from './file-transfer.ts'
import en from '../i18n/en.json' with { type: 'json' }
import { tokenOf, type Guard } from './access-guard.ts'
import { clientNetworkOf } from './client-network.ts'
import { detailsOf, isRefusal, refuse, sentenceOf, type Refusal } from '../refusal.ts'
import type { SessionUser } from './login-sessions.ts'
import {
  languageCodeOf,
  languageOf,
  translatorFor,
  type LanguageCode,
  type Translate,
} from '../i18n/translate.ts'

/** A decoded call, with its sender. */
export type Call<Input> = {
  readonly input: Input
  readonly translate: Translate
  readonly language: LanguageCode
  /** The token as it was sent; null without one. */
  readonly token: string | null
  /** The caller's network address. */
  readonly address: string
  /** The key of limits per network. */
  readonly network: string
  /** The shortened user agent; empty without one. */
  readonly device: string
}

/** A call of a logged-in user. `request` has the caller's idempotency key, if there is one. */
export type UserCall<Input> = Call<Input> & {
  readonly user: SessionUser
  readonly request?: Request | undefined
}

/** A call that uploads a file. */
export type UploadCall = UserCall<null> & SentFile

type Result<Output> = Promise<Output | Refusal> | Output | Refusal
export type VisitorHandler<Input, Output> = (call: Call<Input>) => Result<Output>
export type UserHandler<Input, Output> = (call: UserCall<Input>) => Result<Output>

/** Binds endpoints of the contract to handlers, and does routing, access control, decoding, envelopes and languages for them. */
export type Api = {
  /** The bound endpoints. */
  readonly endpoints: readonly Endpoint[]
  visitor<Input, Output>(endpoint: Endpoint<Input, Output>, handler: VisitorHandler<Input, Output>): void
  user<Input, Output>(endpoint: Endpoint<Input, Output>, handler: UserHandler<Input, Output>): void
  /** An endpoint with a multipart body, which the handler receives; it has the longer time limit of uploads. */
  upload<Output>(endpoint: Endpoint<null, Output>, handler: (call: UploadCall) => Result<Output>): void
  /** Answers with the bytes of a file instead of an envelope; `withinMs` extends the time limit. */
  file<Input>(
    endpoint: Endpoint<Input, null>,
    handler: UserHandler<Input, FileAnswer>,
    options?: { readonly withinMs: number },
  ): void
}

/** Endpoints with a success message of their own, for clients to show; the others have a general one. */
const WITH_SUCCESS_MESSAGE: ReadonlySet<string> = new Set(Object.keys(en.success))

const successOf = (endpoint: Pick<Endpoint, 'name'>, translate: Translate): string =>
  translate(WITH_SUCCESS_MESSAGE.has(endpoint.name) ? `success.${endpoint.name}` : 'done')

/** A call that takes longer, ms, is refused, because the database does not answer; its outcome is unknown. */
const ANSWER_WITHIN_MS = 4_500

type Answering<Output> = (request: FastifyRequest, translate: Translate) => Promise<Output | Refusal>
type Sending<Output> = (reply: FastifyReply, value: Output, translate: Translate) => FastifyReply

export function createApi(server: FastifyInstance, guard: Guard): Api {
  const endpoints: Endpoint[] = []
  const add = <Input, Output>(endpoint: Endpoint<Input, Output>, answer: Answering<Output>) => {
    endpoints.push(endpoint)
    bind(server, guard, endpoint, { answer, send: inEnvelope(endpoint) })
  }
  const ofUser =
    <Input, Output>(
      endpoint: Endpoint<Input, unknown>,
      handler: (call: UserCall<Input>, request: FastifyRequest) => Result<Output>,
    ): Answering<Output> =>
    async (request, translate) => {
      const call = userCallOf(guard, endpoint, request, translate)
      return isRefusal(call) ? call : handler(call, request)
    }
  return {
    endpoints,
    visitor: (endpoint, handler) =>
      add(endpoint, async (request, translate) => {
        const call = callOf(endpoint, request, translate)
        return isRefusal(call) ? call : handler(call)
      }),
    user: (endpoint, handler) => add(endpoint, ofUser(endpoint, handler)),
    upload: (endpoint, handler) => {
      endpoints.push(endpoint)
      const answer = ofUser(endpoint, (call: UserCall<null>, request) =>
        handler({ ...call, ...sentFileOf(request) }),
      )
      // In a separate scope, because no other endpoint accepts a multipart body.
      void server.register(async (scope) => {
        await scope.register(multipart)
        scope.addHook('onSend', readRest)
        bind(scope, guard, endpoint, { answer, send: inEnvelope(endpoint), withinMs: UPLOAD_WITHIN_MS })
      })
    },
    file: (endpoint, handler, options) => {
      endpoints.push(endpoint)
      bind(server, guard, endpoint, { answer: ofUser(endpoint, handler), send: sendFile, ...options })
    },
  }
}

const inEnvelope =
  <Output>(endpoint: Endpoint<unknown, Output>): Sending<Output> =>
  (reply, value, translate) =>
    reply.send(successEnvelope(endpoint.response, value, successOf(endpoint, translate)))

type Route<Output> = {
  readonly answer: Answering<Output>
  readonly send: Sending<Output>
  readonly withinMs?: number
}

function bind<Output>(
  server: FastifyInstance,
  guard: Guard,
  endpoint: Endpoint<unknown, unknown>,
  { answer, send, withinMs = ANSWER_WITHIN_MS }: Route<Output>,
): void {
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    // Answers contain private data, current prices or tokens, so they must not be cached.
    reply.header('cache-control', 'no-store')
    const refusal = await guard.admit(request, endpoint.access)
    if (refusal) return refused(reply, translatorOf(request), refusal)
  }
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const translate = translatorOf(request)
    const result = await answer(request, translate)
    return isRefusal(result) ? refused(reply, translate, result) : send(reply, result, translate)
  }
  const route = { url: endpoint.path, handler, handlerTimeout: withinMs }
  server.route({ ...route, method: endpoint.method, onRequest: admit })
  if (!endpoint.alsoGet) return
  // Without a HEAD route, which would execute the change, too.
  server.route({
    ...route,
    method: 'GET',
    exposeHeadRoute: false,
    schema: { hide: true },
    onRequest: [refuseNavigation, admit],
  })
}

/** The call of an authorized user, or the refusal. */
function userCallOf<Input>(
  guard: Guard,
  endpoint: Endpoint<Input, unknown>,
  request: FastifyRequest,
  translate: Translate,
): UserCall<Input> | Refusal {
  const user = guard.callerOf(request)
  const barrier = barrierOf(endpoint.access, kindOf(user))
  if (!user || barrier !== null) return refuse(barrier ?? 'sessionGone')
  const call = callOf(endpoint, request, translate)
  if (isRefusal(call)) return call
  const change = requestOf(endpoint, { id: user.id, call: endpoint.name }, call.input, request)
  return isRefusal(change) ? change : { ...call, user, request: change }
}

/** The decoded request, or the refusal of an invalid one. */
export function callOf<Input>(
  endpoint: Pick<Operation<Input>, 'request'>,
  request: FastifyRequest,
  translate: Translate,
): Call<Input> | Refusal {
  const decoded = decode(endpoint.request, { ...fieldsOf(request), ...asObject(request.params) })
  if (!decoded.ok) {
    const { reason, field, expected } = decoded
    return refuse(reason, { field, ...expected })
  }
  return {
    input: decoded.value,
    translate,
    language: languageCodeOf(request.headers['lang']),
    token: tokenOf(request),
    address: request.ip,
    network: clientNetworkOf(request),
    device: deviceOf(request),
  }
}

/**
 * The fields of a call: of GET its query, else its body only. URLs are stored in logs, histories and proxies, so a password
 * in a URL must not work.
 */
const fieldsOf = ({ method, query, body }: FastifyRequest): object =>
  asObject(method === 'GET' || method === 'HEAD' ? query : body)

const DEVICE_LENGTH = 160

/** Plain characters only, because it is shown in lists and mails. */
const deviceOf = (request: FastifyRequest): string =>
  (request.headers['user-agent'] ?? '').replace(/[^\w ./;:()+,-]/g, '').slice(0, DEVICE_LENGTH)

export const translatorOf = (request: FastifyRequest): Translate =>
  translatorFor(languageOf(request.headers['lang']))

/** Sends a refusal in an envelope. */
export const refused = (reply: FastifyReply, translate: Translate, refusal: Refusal): FastifyReply =>
  reply.status(statusOf(refusal.rejected)).send(envelopeOf(translate, refusal))

/** The envelope of a refusal. */
export const envelopeOf = (translate: Translate, refusal: Refusal): unknown =>
  refusalEnvelope(refusal.rejected, sentenceOf(translate, refusal), detailsOf(refusal))

const asObject = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const kindOf = (user: SessionUser | null): Caller => {
  if (user === null) return 'visitor'
  return user.isDemo ? 'demo' : 'real'
}

/** The request id of a change, from the idempotency key of the caller (`owner`). The digest reveals a key reused with another payload. */
export function requestOf<Input>(
  endpoint: Pick<Operation<Input>, 'name' | 'changes' | 'request'>,
  owner: { readonly id: number; readonly call: string },
  input: Input,
  request: FastifyRequest,
): Request | undefined | Refusal {
  const header = request.headers['idempotency-key']
  const id = Array.isArray(header) ? header[0] : header
  if (!endpoint.changes || id === undefined || id === '') return undefined
  if (id.length > REQUEST_ID_LENGTH_MAX)
    return refuse('requestIdTooLong', {
      maximumLength: REQUEST_ID_LENGTH_MAX,
      field: 'Idempotency-Key',
    })
  const payload = JSON.stringify(encode(endpoint.request, input) ?? null)
  const digest = createHash('sha256').update(payload).digest('hex')
  return { accountId: owner.id, call: owner.call, id, digest }
}

/** Changes by GET exist for old clients that send a token in a header; a link must not trigger them. */
async function refuseNavigation(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const mode = request.headers['sec-fetch-mode']
  if (mode === 'navigate' || mode === 'no-cors')
    await refused(reply, translatorOf(request), refuse('originRefused'))
}
