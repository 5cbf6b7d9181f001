import multipart from '@fastify/multipart'
import { successEnvelope } from '@fairlot/contract'
import { mayDo, type DeskEndpoint, type DeskExport } from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tokenOf } from '../http/access-guard.ts'
import { callOf, nameOf, refused, translatorOf, type Call } from '../http/api.ts'
import { sendFile, type FileAnswer } from '../http/file-answer.ts'
import { readRest, sentFileOf, UPLOAD_WITHIN_MS, type SentFile } from '../http/file-upload.ts'
import { createBurstLimit, networkOf } from '../http/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import type { Translate } from '../i18n/translate.ts'
import type { ActLog } from './acts/act-log.ts'
import type { DeskSession, DeskSessions } from './operators/desk-sessions.ts'
import type { DeskOperator } from './operator.ts'
import { type ListPage, sendListFile, textOfList } from './list-file.ts'

/** A call of an operator whose role may make it. */
export type OperatorCall<Input> = Call<Input> & {
  readonly operator: DeskOperator
  readonly session: DeskSession
  /** Names the change, where the caller named it. */
  readonly request?: Request | undefined
}

type Result<Output> = Promise<Output | Refusal> | Output | Refusal

/** What else an answer needs than its JSON. */
type RouteOptions = { readonly bodyLimit?: number; readonly handlerTimeout?: number }

/** Binds endpoints of the desk to handlers: who may call, decoding and envelopes end here. */
export type DeskApi = {
  /** Those that are bound. */
  readonly endpoints: readonly DeskEndpoint[]
  anyone<Input, Output>(
    endpoint: DeskEndpoint<Input, Output>,
    handler: (call: Call<Input>) => Result<Output>,
  ): void
  operator<Input, Output>(
    endpoint: DeskEndpoint<Input, Output>,
    handler: (call: OperatorCall<Input>) => Result<Output>,
    options?: RouteOptions,
  ): void
  /** A call with a multipart body, which the handler takes in: it has the time that an upload takes. */
  upload<Output>(
    endpoint: DeskEndpoint<null, Output>,
    handler: (call: OperatorCall<null> & SentFile) => Result<Output>,
  ): void
  /** Answers with the bytes of a file in place of the envelope. */
  file<Input>(
    endpoint: DeskEndpoint<Input, null>,
    handler: (call: OperatorCall<Input>) => Result<FileAnswer>,
    options?: RouteOptions,
  ): void
  /** Answers a list, and the whole of it as files for spreadsheets. `find` is given how many rows to read, where it is for a file. */
  list<Input, Output>(
    endpoint: DeskEndpoint<Input, Output>,
    find: (call: OperatorCall<Input>, limit?: number) => Result<Output>,
    ...files: readonly ListFile<Input, Output>[]
  ): void
  /** The file alone, of rows that differ from those of its list. */
  csv<Input>(
    file: DeskExport<Input>,
    find: (call: OperatorCall<Input>, limit: number) => Result<ListPage>,
  ): void
}

/** A file of a list: which one, and what of an answer its rows are. An answer with a `total` is one page of several. */
export type ListFile<Input, Output> = {
  readonly file: DeskExport<Input>
  readonly rowsOf: (answer: Output) => readonly object[]
}

/** Before the name of a call of an operator: users have numbers too, and calls of their own. */
const DESK_CALL = 'desk.'

/** Calls of one operator, and of one address before a log-in: a rate per second, and a burst on top of it. */
const OPERATOR_CALLS = { perSecond: 30, burst: 200 }
const ADDRESS_CALLS = { perSecond: 10, burst: 50 }

/** A call that takes longer waits for a database that does not answer. Lists of the desk may be long. */
const ANSWER_WITHIN_MS = 20_000
/** A long list is written as fast as it is read. */
const FILE_WITHIN_MS = 300_000

export type DeskApiOptions = { readonly sessions: DeskSessions; readonly acts: ActLog }

export function createDeskApi(server: FastifyInstance, options: DeskApiOptions): DeskApi {
  const endpoints: DeskEndpoint[] = []
  const door = createDoor(options)

  const bind = <Input, Output>(
    endpoint: DeskEndpoint<Input>,
    answer: (request: FastifyRequest) => Result<Output>,
    send: (reply: FastifyReply, value: Output, translate: Translate) => FastifyReply,
    route: RouteOptions = {},
    scope: FastifyInstance = server,
  ) => {
    endpoints.push(endpoint)
    scope.route({
      ...{ url: endpoint.path, method: endpoint.method, handlerTimeout: ANSWER_WITHIN_MS, ...route },
      exposeHeadRoute: false,
      onRequest: admitOrRefuse(door, endpoint),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const translate = translatorOf(request)
        const result = await answer(request)
        return isRefusal(result) ? refused(reply, translate, result) : send(reply, result, translate)
      },
    })
  }
  const ofOperator =
    <Input, Output>(
      endpoint: DeskEndpoint<Input>,
      handler: (call: OperatorCall<Input>, request: FastifyRequest) => Result<Output>,
    ): ((request: FastifyRequest) => Result<Output>) =>
    (request) => {
      const call = operatorCallOf(door, endpoint, request)
      return isRefusal(call) ? call : handler(call, request)
    }

  const csv = bindFiles(server, door, options.acts)

  return {
    endpoints,
    anyone: (endpoint, handler) => {
      const answer = (request: FastifyRequest) => {
        const call = plainCallOf(endpoint, request)
        return isRefusal(call) ? call : handler(call)
      }
      bind(endpoint, answer, inEnvelope(endpoint))
    },
    operator: (endpoint, handler, route) =>
      bind(endpoint, ofOperator(endpoint, handler), inEnvelope(endpoint), route),
    upload: (endpoint, handler) => {
      const answer = ofOperator(endpoint, (call, request) => handler({ ...call, ...sentFileOf(request) }))
      // In a scope of its own: nowhere else is a multipart body taken.
      void server.register(async (scope) => {
        await scope.register(multipart)
        scope.addHook('onSend', readRest)
        const route = { handlerTimeout: UPLOAD_WITHIN_MS }
        bind(endpoint, answer, inEnvelope(endpoint), route, scope)
      })
    },
    file: (endpoint, handler, route) => bind(endpoint, ofOperator(endpoint, handler), sendFile, route),
    list: (endpoint, find, ...files) => {
      bind(
        endpoint,
        ofOperator(endpoint, (call) => find(call)),
        inEnvelope(endpoint),
      )
      for (const { file, rowsOf } of files)
        csv(file, async (call, limit) => pageOf(await find(call, limit), rowsOf))
    },
    csv,
  }
}

function pageOf<Output>(answer: Output | Refusal, rowsOf: (answer: Output) => readonly object[]) {
  if (isRefusal(answer)) return answer
  const rows = rowsOf(answer)
  return { rows, total: totalOf(answer) ?? rows.length }
}

/** Serves lists as files, at the path of their call and `.csv`. */
const bindFiles =
  (server: FastifyInstance, door: Door, acts: ActLog): DeskApi['csv'] =>
  (file, find) => {
    const { list, path, act } = file
    const onRequest = admitOrRefuse(door, { ...list, act })
    const route = { onRequest, handlerTimeout: FILE_WITHIN_MS, exposeHeadRoute: false }
    server.get(path, { ...route, schema: { hide: true } }, async (request, reply) => {
      const call = operatorCallOf(door, list, request)
      if (isRefusal(call)) return refused(reply, translatorOf(request), call)
      const text = await textOfList(file, async (page, limit) =>
        find({ ...call, input: atPage(call.input, page) }, limit),
      )
      if (isRefusal(text)) return refused(reply, translatorOf(request), text)
      if (act !== list.act) await noteCopy(acts, file, call)
      return sendListFile(reply, file, text)
    })
  }

const totalOf = (answer: unknown): number | null =>
  typeof answer === 'object' && answer !== null && 'total' in answer ? Number(answer.total) : null

const atPage = <Input>(input: Input, page: number): Input =>
  typeof input === 'object' && input !== null && 'page' in input ? { ...input, page } : input

/** Who takes a copy with them of what others may only look at is among the acts. */
async function noteCopy(
  acts: ActLog,
  { act, list, name }: DeskExport,
  { operator, input }: OperatorCall<unknown>,
): Promise<void> {
  const { page: _page, ...filter } = { page: 1, ...(input as object) }
  const accountId = list.act === 'viewPeople' && 'id' in filter ? Number(filter.id) : null
  const subject = accountId === null ? `${name}:all` : `person:${accountId}`
  await acts.note({ operator, act, subject, accountId, after: { file: name, ...filter } }, async () => null)
}

const inEnvelope =
  <Output>(endpoint: DeskEndpoint<unknown, Output>) =>
  (reply: FastifyReply, value: Output, translate: Translate): FastifyReply =>
    reply.send(successEnvelope(endpoint.response, value, translate('done')))

/** Decides who may call, before a body is read. */
type Door = {
  admit(endpoint: DeskEndpoint, request: FastifyRequest): Promise<Refusal | null>
  /** Of an admitted call. */
  sessionOf(request: FastifyRequest): DeskSession | null
}

function createDoor({ sessions, acts }: DeskApiOptions): Door {
  const ofOperator = createBurstLimit(OPERATOR_CALLS.perSecond, OPERATOR_CALLS.burst)
  const ofAddress = createBurstLimit(ADDRESS_CALLS.perSecond, ADDRESS_CALLS.burst)
  const callers = new WeakMap<FastifyRequest, DeskSession>()
  return {
    admit: async (endpoint, request) => {
      const token = endpoint.act === null ? null : tokenOf(request)
      const session = token === null ? null : await sessions.find(token, isUse(request))
      const isWithin = session
        ? await ofOperator(session.operator.id)
        : await ofAddress(networkOf(request.ip))
      if (!isWithin) return refuse('tooManyRequests')
      if (endpoint.act === null) return null
      if (!session) return refuse('sessionGone')
      const refusal = barrierOf(endpoint, session)
      if (refusal?.rejected === 'roleRefused') {
        const subject = `call:${endpoint.name}`
        await acts.tellRefused({ operator: operatorOf(session), act: endpoint.act, subject }, refusal)
      }
      if (!refusal) callers.set(request, session)
      return refusal
    },
    sessionOf: (request) => callers.get(request) ?? null,
  }
}

const admitOrRefuse =
  (door: Door, endpoint: DeskEndpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    // Answers hold what is no business of a cache.
    reply.header('cache-control', 'no-store')
    const refusal = await door.admit(endpoint, request)
    return refusal ? refused(reply, translatorOf(request), refusal) : undefined
  }

/** A call without the one character that PostgreSQL keeps in no text. */
function plainCallOf<Input>(endpoint: DeskEndpoint<Input>, request: FastifyRequest): Call<Input> | Refusal {
  const call = callOf(endpoint, request, translatorOf(request))
  if (isRefusal(call)) return call
  const field = Object.entries(call.input ?? {}).find(([, value]) => holdsNul(value))?.[0]
  return field === undefined ? call : refuse('notUnderstood', { field })
}

const holdsNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsNul)

function operatorCallOf<Input>(
  door: Door,
  endpoint: DeskEndpoint<Input>,
  request: FastifyRequest,
): OperatorCall<Input> | Refusal {
  const session = door.sessionOf(request)
  if (!session) return refuse('sessionGone')
  const call = plainCallOf(endpoint, request)
  if (isRefusal(call)) return call
  const operator = operatorOf(session)
  const owner = { id: operator.id, call: DESK_CALL + endpoint.name }
  const named = nameOf(endpoint, owner, call.input, request)
  return isRefusal(named) ? named : { ...call, session, operator, request: named }
}

export const operatorOf = ({ operator: { id, name, role } }: DeskSession): DeskOperator => ({
  id,
  name,
  role,
})

function barrierOf(endpoint: DeskEndpoint, { operator }: DeskSession): Refusal | null {
  if (operator.totp_confirmed_at === null && !endpoint.isForEnrolment) return refuse('secondFactorUnset')
  return endpoint.act === null || mayDo(operator.role, endpoint.act) ? null : refuse('roleRefused')
}

/** A page that only looks whether there is news says so, and keeps no session alive by it. */
const isUse = ({ headers }: FastifyRequest): boolean => headers['background'] !== '1'
