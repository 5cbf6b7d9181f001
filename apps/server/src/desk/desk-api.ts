import { successEnvelope } from '@fairlot/contract'
import { mayDo, type DeskAct, type DeskEndpoint } from '@fairlot/contract/desk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tokenOf } from '../http/access-guard.ts'
import { callOf, refused, translatorOf, type Call } from '../http/api.ts'
import { sendFile, type FileAnswer } from '../http/file-answer.ts'
import { createBurstLimit, networkOf } from '../http/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import type { Translate } from '../i18n/translate.ts'
import type { ActLog } from './acts/act-log.ts'
import { csvOf, CSV_ROWS_MAX, type CsvRow } from '../http/csv.ts'
import type { DeskSession, DeskSessions } from './operators/desk-sessions.ts'
import type { DeskOperator } from './operator.ts'

/** A call of an operator whose role may make it. */
export type OperatorCall<Input> = Call<Input> & {
  readonly operator: DeskOperator
  readonly session: DeskSession
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
  /** Answers with the bytes of a file in place of the envelope. */
  file<Input>(
    endpoint: DeskEndpoint<Input, null>,
    handler: (call: OperatorCall<Input>) => Result<FileAnswer>,
    options?: RouteOptions,
  ): void
  /** The whole of a list as a file for spreadsheets, at the path of its endpoint and `.csv`, for whoever may see the list, or may do `act`. */
  csv<Input>(
    endpoint: DeskEndpoint<Input>,
    columns: readonly string[],
    rows: (call: OperatorCall<Input>) => Promise<readonly CsvRow[] | Refusal>,
    act?: DeskAct,
  ): void
}

/** Calls of one operator, and of one address before a log-in: a rate per second, and a burst on top of it. */
const OPERATOR_CALLS = { perSecond: 30, burst: 200 }
const ADDRESS_CALLS = { perSecond: 10, burst: 50 }

/** A call that takes longer waits for a database that does not answer. Lists of the desk may be long. */
const ANSWER_WITHIN_MS = 20_000

export type DeskApiOptions = { readonly sessions: DeskSessions; readonly acts: ActLog }

export function createDeskApi(server: FastifyInstance, options: DeskApiOptions): DeskApi {
  const endpoints: DeskEndpoint[] = []
  const door = createDoor(options)

  const bind = <Input, Output>(
    endpoint: DeskEndpoint<Input>,
    answer: (request: FastifyRequest) => Result<Output>,
    send: (reply: FastifyReply, value: Output, translate: Translate) => FastifyReply,
    route: RouteOptions = {},
  ) => {
    endpoints.push(endpoint)
    server.route({
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
      handler: (call: OperatorCall<Input>) => Result<Output>,
    ): ((request: FastifyRequest) => Result<Output>) =>
    (request) => {
      const call = operatorCallOf(door, endpoint, request)
      return isRefusal(call) ? call : handler(call)
    }

  return {
    endpoints,
    anyone: (endpoint, handler) => {
      const answer = (request: FastifyRequest) => {
        const call = callOf(endpoint, request, translatorOf(request))
        return isRefusal(call) ? call : handler(call)
      }
      bind(endpoint, answer, inEnvelope(endpoint))
    },
    operator: (endpoint, handler, route) =>
      bind(endpoint, ofOperator(endpoint, handler), inEnvelope(endpoint), route),
    file: (endpoint, handler, route) => bind(endpoint, ofOperator(endpoint, handler), sendFile, route),
    csv: (endpoint, columns, rows, act) => {
      const url = `${endpoint.path}.csv`
      const onRequest = admitOrRefuse(door, act ? { ...endpoint, act } : endpoint)
      const route = { onRequest, handlerTimeout: ANSWER_WITHIN_MS, exposeHeadRoute: false }
      server.get(url, { ...route, schema: { hide: true } }, async (request, reply) => {
        const call = operatorCallOf(door, endpoint, request)
        const listed = isRefusal(call) ? call : await rows(call)
        if (isRefusal(listed)) return refused(reply, translatorOf(request), listed)
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${endpoint.name}.csv"`)
          .send(csvOf(columns, listed.slice(0, CSV_ROWS_MAX)))
      })
    },
  }
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

function operatorCallOf<Input>(
  door: Door,
  endpoint: DeskEndpoint<Input>,
  request: FastifyRequest,
): OperatorCall<Input> | Refusal {
  const session = door.sessionOf(request)
  if (!session) return refuse('sessionGone')
  const call = callOf(endpoint, request, translatorOf(request))
  return isRefusal(call) ? call : { ...call, session, operator: operatorOf(session) }
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
