import multipart from '@fastify/multipart'
import { encode, successEnvelope } from '@fairlot/contract'
import { FRESH_FACTOR_MS, mayDo, type DeskEndpoint, type DeskExport } from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tokenOf } from '../platform/http/access-guard.ts'
import { callOf, requestOf, refused, translatorOf, type Call } from '../platform/http/api.ts'
import {
  type FileAnswer,
  readRest,
  sendFile,
  type SentFile,
  sentFileOf,
  UPLOAD_WITHIN_MS,
} from '../platform/http/file-transfer.ts'
import { clientNetworkOf } from '../platform/http/client-network.ts'
import { createBurstLimit } from '../platform/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import type { Translate } from '../platform/i18n/translate.ts'
import type { AuditLog } from './audit-log/audit-log.ts'
import type { DeskSession, DeskSessions } from './operators/desk-sessions.ts'
import type { DeskOperator } from './operators/operators.ts'
import { type ListPage, sendListFile, textOfList } from './exports/list-file.ts'

/** A call of an operator whose role may make it. */
export type OperatorCall<Input> = Call<Input> & {
  readonly operator: DeskOperator
  readonly session: DeskSession
  /** Identifies the change, if the client gave it an id. */
  readonly request?: Request | undefined
}

type Result<Output> = Promise<Output | Refusal> | Output | Refusal

/** Limits of a route that differ from the usual ones. */
type RouteOptions = { readonly bodyLimit?: number; readonly handlerTimeout?: number }

/** Binds endpoints of the desk to handlers. It checks permissions, decodes inputs and wraps answers. */
export type DeskApi = {
  /** The endpoints bound so far. */
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
  /** A call with a multipart body, which the handler reads. It has a longer time limit. */
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
  /** Answers a list, and exports all of it as CSV files. `find` gets the number of rows to read if it is for a file. */
  list<Input, Output>(
    endpoint: DeskEndpoint<Input, Output>,
    find: (call: OperatorCall<Input>, limit?: number) => Result<Output>,
    ...files: readonly ListFile<Input, Output>[]
  ): void
  /** Only the CSV file, for rows that differ from those of its list. */
  csv<Input>(
    file: DeskExport<Input>,
    find: (call: OperatorCall<Input>, limit: number) => Result<ListPage>,
  ): void
}

/** A CSV file of a list, and its rows in an answer. An answer with a `total` is one page of several. */
export type ListFile<Input, Output> = {
  readonly file: DeskExport<Input>
  readonly rowsOf: (answer: Output) => readonly object[]
}

/** Prefix of operators' calls in request ids, as users have the same ids and their own calls. */
const DESK_CALL = 'desk.'

/** Rate limits per operator, and per address before a log-in: calls per second, plus a burst. */
const OPERATOR_CALLS = { perSecond: 30, burst: 200 }
const ADDRESS_CALLS = { perSecond: 10, burst: 50 }

/** A call that takes longer is waiting for a database that does not answer. */
const ANSWER_WITHIN_MS = 20_000
/** A long list is written only as fast as the client reads it. */
const FILE_WITHIN_MS = 300_000

export type DeskApiOptions = {
  readonly sessions: DeskSessions
  readonly auditLog: AuditLog
  /** Real time, epoch ms. */
  readonly now: () => number
}

export function createDeskApi(server: FastifyInstance, options: DeskApiOptions): DeskApi {
  const endpoints: DeskEndpoint[] = []
  const guard = createAdmissionGuard(options)
  const { auditLog } = options

  const bind = <Input, Output>(
    endpoint: DeskEndpoint<Input>,
    answer: (request: FastifyRequest) => Result<Output>,
    send: (reply: FastifyReply, value: Output, translate: Translate) => FastifyReply,
    route: RouteOptions = {},
    scope: FastifyInstance = server,
  ) => {
    endpoints.push(endpoint)
    scope.route({
      url: endpoint.path,
      method: endpoint.method,
      handlerTimeout: ANSWER_WITHIN_MS,
      ...route,
      exposeHeadRoute: false,
      onRequest: admitOrRefuse(guard, endpoint),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const translate = translatorOf(request)
        const result = await answer(request)
        return isRefusal(result) ? refused(reply, translate, result) : send(reply, result, translate)
      },
    })
  }
  /** Every refused change has an audit entry. An area records what it concerned; this records the rest, such as a wrong form. */
  const recordUnlessDone = async (
    { permission, name, method, isPreview }: DeskEndpoint,
    request: FastifyRequest,
    refusal: Refusal,
  ): Promise<void> => {
    const session = guard.sessionOf(request)
    if (session === null || permission === null || method === 'GET' || isPreview) return
    if (UNDECIDED.has(refusal.rejected) || auditLog.hasRefusal(refusal)) return
    await auditLog.recordRefusal(
      { operator: operatorOf(session), act: permission, subject: `call:${name}` },
      refusal,
    )
  }

  const ofOperator =
    <Input, Output>(
      endpoint: DeskEndpoint<Input>,
      handler: (call: OperatorCall<Input>, request: FastifyRequest) => Result<Output>,
    ): ((request: FastifyRequest) => Result<Output>) =>
    async (request) => {
      const call = operatorCallOf(guard, endpoint, request)
      const result = isRefusal(call) ? call : await handler(call, request)
      if (isRefusal(result)) await recordUnlessDone(endpoint, request, result)
      return result
    }

  const csv = bindFiles(server, guard, auditLog)

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
      // In its own scope, as no other route accepts a multipart body.
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

/** The engine's answer is not known, so nothing was refused yet. */
const UNDECIDED = new Set<Refusal['rejected']>(['engineUnavailable', 'notDone'])

/** Serves lists as CSV files, at the path of their call plus `.csv`. */
const bindFiles =
  (server: FastifyInstance, guard: AdmissionGuard, auditLog: AuditLog): DeskApi['csv'] =>
  (file, find) => {
    const { list, path, permission } = file
    const onRequest = admitOrRefuse(guard, { ...list, permission })
    const route = { onRequest, handlerTimeout: FILE_WITHIN_MS, exposeHeadRoute: false }
    server.get(path, { ...route, schema: { hide: true } }, async (request, reply) => {
      const call = operatorCallOf(guard, list, request)
      if (isRefusal(call)) return refused(reply, translatorOf(request), call)
      const text = await textOfList(file, async (page, limit) =>
        find({ ...call, input: withPage(call.input, page) }, limit),
      )
      if (isRefusal(text)) return refused(reply, translatorOf(request), text)
      if (permission !== list.permission) await recordDownload(auditLog, file, call)
      return sendListFile(reply, file, text)
    })
  }

const totalOf = (answer: unknown): number | null =>
  typeof answer === 'object' && answer !== null && 'total' in answer ? Number(answer.total) : null

const withPage = <Input>(input: Input, page: number): Input =>
  typeof input === 'object' && input !== null && 'page' in input ? { ...input, page } : input

/** Records a download in the audit log. */
async function recordDownload(
  auditLog: AuditLog,
  { permission, list, name }: DeskExport,
  { operator, input }: OperatorCall<unknown>,
): Promise<void> {
  const { page: _page, ...filter } = { page: 1, ...(input as object) }
  const accountId = list.permission === 'viewPeople' && 'id' in filter ? Number(filter.id) : null
  const subject = accountId === null ? `${name}:all` : `person:${accountId}`
  await auditLog.performWithoutReason(
    { operator, act: permission, subject, accountId, after: { file: name, ...filter } },
    async () => null,
  )
}

const inEnvelope =
  <Output>(endpoint: DeskEndpoint<unknown, Output>) =>
  (reply: FastifyReply, value: Output, translate: Translate): FastifyReply =>
    reply.send(successEnvelope(endpoint.response, value, translate('done')))

/** Decides who may call, before a body is read. */
type AdmissionGuard = {
  admit(endpoint: DeskEndpoint, request: FastifyRequest): Promise<Refusal | null>
  /** The session of an admitted call; null for others. */
  sessionOf(request: FastifyRequest): DeskSession | null
}

function createAdmissionGuard({ sessions, auditLog, now }: DeskApiOptions): AdmissionGuard {
  const ofOperator = createBurstLimit(OPERATOR_CALLS.perSecond, OPERATOR_CALLS.burst)
  const ofAddress = createBurstLimit(ADDRESS_CALLS.perSecond, ADDRESS_CALLS.burst)
  const callers = new WeakMap<FastifyRequest, DeskSession>()
  return {
    admit: async (endpoint, request) => {
      const token = endpoint.permission === null ? null : tokenOf(request)
      const session = token === null ? null : await sessions.find(token, isUse(request))
      const isWithinLimit = session
        ? await ofOperator(session.operator.id)
        : await ofAddress(clientNetworkOf(request))
      if (!isWithinLimit) return refuse('tooManyRequests')
      if (endpoint.permission === null) return null
      if (!session) return refuse('sessionGone')
      const refusal = refusalOfSession(endpoint, session, now())
      if (refusal?.rejected === 'roleRefused' || refusal?.rejected === 'secondFactorStale') {
        const subject = `call:${endpoint.name}`
        await auditLog.recordRefusal(
          { operator: operatorOf(session), act: endpoint.permission, subject },
          refusal,
        )
      }
      if (!refusal) callers.set(request, session)
      return refusal
    },
    sessionOf: (request) => callers.get(request) ?? null,
  }
}

const admitOrRefuse =
  (guard: AdmissionGuard, endpoint: DeskEndpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    // Answers are confidential.
    reply.header('cache-control', 'no-store')
    const refusal = await guard.admit(endpoint, request)
    return refusal ? refused(reply, translatorOf(request), refusal) : undefined
  }

/**
 * A decoded call. Refused if a text contains NUL where its codec has not removed it: PostgreSQL cannot store that. The field
 * is named as on the wire.
 */
function plainCallOf<Input>(endpoint: DeskEndpoint<Input>, request: FastifyRequest): Call<Input> | Refusal {
  const call = callOf(endpoint, request, translatorOf(request))
  if (isRefusal(call) || pathOfNul(call.input) === null) return call
  const field = pathOfNul(encode(endpoint.request, call.input))?.join('.')
  return refuse('textUnstorable', field === undefined ? {} : { field })
}

/** The names and indexes that lead to a text with NUL; null without one. */
function pathOfNul(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, part] of Object.entries(value)) {
    const path = pathOfNul(part)
    if (path) return [name, ...path]
  }
  return null
}

function operatorCallOf<Input>(
  guard: AdmissionGuard,
  endpoint: DeskEndpoint<Input>,
  request: FastifyRequest,
): OperatorCall<Input> | Refusal {
  const session = guard.sessionOf(request)
  if (!session) return refuse('sessionGone')
  const call = plainCallOf(endpoint, request)
  if (isRefusal(call)) return call
  const operator = operatorOf(session)
  const owner = { id: operator.id, call: DESK_CALL + endpoint.name }
  const named = requestOf(endpoint, owner, call.input, request)
  return isRefusal(named) ? named : { ...call, session, operator, request: named }
}

export const operatorOf = ({ operator: { id, name, role } }: DeskSession): DeskOperator => ({
  id,
  name,
  role,
})

/** Why a session may not make a call; null if it may. */
function refusalOfSession(
  endpoint: DeskEndpoint,
  { operator, factorAt }: DeskSession,
  at: number,
): Refusal | null {
  if (operator.totp_confirmed_at === null && !endpoint.isForEnrolment) return refuse('secondFactorUnset')
  if (endpoint.permission !== null && !mayDo(operator.role, endpoint.permission)) return refuse('roleRefused')
  const isFresh = factorAt !== null && at - factorAt < FRESH_FACTOR_MS
  return endpoint.needsFreshFactor && !isFresh ? refuse('secondFactorStale') : null
}

/** Whether the operator made the call: pages that only poll mark their calls, which do not prolong the session. */
const isUse = ({ headers }: FastifyRequest): boolean => headers['background'] !== '1'
