import { mutationsOf, type Mutation } from '../mutation.ts'

const SERVER = 'apps/server/src'
const TRADING = 'apps/server/src/trading'

/**
 * Mutations of public calls and sockets, each with the tests to run, because all tests of the server would take too
 * long.
 */
const call = (
  name: string,
  tests: readonly string[],
  ...mutations: readonly (readonly [string, string, string])[]
): Mutation[] => mutationsOf(name, ...mutations).map((mutation) => ({ ...mutation, tests }))

const server = (
  name: string,
  tests: readonly string[],
  ...mutations: readonly (readonly [string, string, string])[]
): Mutation[] =>
  call(
    `${SERVER}/${name}`,
    tests.map((test) => `${SERVER}/${test}`),
    ...mutations,
  )

const trading = (
  name: string,
  tests: readonly string[],
  ...mutations: readonly (readonly [string, string, string])[]
): Mutation[] =>
  call(
    `${TRADING}/${name}`,
    tests.map((test) => `${TRADING}/${test}`),
    ...mutations,
  )

const SOCKETS: readonly Mutation[] = [
  ...server(
    'platform/sockets/socket-hub.ts',
    ['platform/sockets/private-pushes.wire', 'platform/sockets/socket-routes.wire'],
    [
      '[...byUser.clientsOf(userId)].filter(({ topics }) => topics.has(topic))',
      '[...byTopic.clientsOf(topic)].filter(() => userId > 0)',
      'Closed positions and account figures are sent to all subscribers.',
    ],
    ['    client.topics.delete(topic)\n', '', 'A private topic continues after it was unsubscribed.'],
  ),
  ...server(
    'platform/sockets/own-origin.ts',
    ['platform/sockets/own-origin', 'platform/sockets/socket-prices.wire'],
    [
      'if (!URL.canParse(origin)) return false',
      'if (!URL.canParse(origin)) return true',
      'A page with an opaque origin may open the socket.',
    ],
  ),
  ...server(
    'platform/sockets/socket-routes.ts',
    [
      'platform/sockets/private-pushes.wire',
      'platform/sockets/socket-routes',
      'platform/http/access-guard.wire',
    ],
    [
      "access !== 'visitor' && !client.user",
      "access !== 'visitor' && client.user?.id === 0",
      'A private topic can be subscribed without a log-in.',
    ],
    ["      socket.on('close', leave)\n", '', 'A closed socket counts for its address for ever.'],
    [
      'if (user && isRefusal(user)) return refuseLogIn(context)',
      'if (user && isRefusal(user)) return',
      'A log-in above the rate limit is never answered.',
    ],
  ),
  ...server(
    'platform/sockets/protocol/message-reader.ts',
    ['platform/sockets/protocol'],
    [
      'hasReservedBits || !isMasked || !isKnown',
      'hasReservedBits || !isKnown',
      'Frames of clients need not be masked.',
    ],
    [
      'if (length > limits.bytesMax) return',
      'if (length > 2 * limits.bytesMax + 1e9) return',
      'The length of a frame is not limited.',
    ],
    [
      'return length < 126 ? null : length',
      'return length',
      'A length of 16 bits need not be in its shortest form.',
    ],
    [
      'return length < 65_536n ? null : Number(length)',
      'return Number(length)',
      'A length of 64 bits may have any value.',
    ],
  ),
  ...server(
    'platform/sockets/protocol/message-reader.ts',
    ['platform/sockets/protocol'],
    [
      "      if (incoming?.type === 'broken') isBroken = true\n",
      '',
      'Data after a rejected message is read.',
    ],
    ['      maxOutputLength: bytesMax,\n', '', 'A compressed message may expand to any size.'],
  ),
  ...server(
    'platform/sockets/protocol/server-socket.ts',
    ['platform/sockets/websockets.wire', 'platform/sockets/socket-prices.wire'],
    [
      'this.#setup.mayCompress ? message.compressed() : message.plain()',
      'message.compressed()',
      'Clients without compression get compressed frames.',
    ],
  ),
  ...server(
    'platform/sockets/protocol/server-socket.ts',
    ['platform/sockets/rfc-6455.wire'],
    [
      'const timeout = setTimeout(() => this.#stream.destroy(), CLOSE_TIMEOUT_MS)',
      'const timeout = setTimeout(() => undefined, CLOSE_TIMEOUT_MS)',
      'A client that never answers a close frame keeps its connection.',
    ],
    [
      "if (this.#state === 'open') this.#stream.write(serverFrame(OPCODE.ping",
      'this.#stream.write(serverFrame(OPCODE.ping',
      'Pings follow the close frame.',
    ],
  ),
]

const REQUESTS: readonly Mutation[] = [
  ...server(
    'platform/http/access-guard.ts',
    ['platform/http/access-guard.wire'],
    [
      'await ofAddress(networkOf(address))',
      '(token !== null || (await ofAddress(networkOf(address))))',
      'Invalid tokens are tried without a limit.',
    ],
  ),
  ...server(
    'platform/http/security.ts',
    ['platform/http/body-parser.wire'],
    ['if (hosts <= 1)', 'if (hosts <= 2)', 'Two Host headers are accepted.'],
  ),
  ...server(
    'platform/http/security.ts',
    ['platform/http/security.test'],
    ['value === before[name]', 'false', 'A header of one request is repeated in the answers to all others.'],
  ),
  ...server(
    'platform/http/body-parser.ts',
    ['platform/http/body-parser.wire'],
    ['String(value) !== source', 'value === null', 'A JSON number loses the digits that no double holds.'],
  ),
  ...server(
    'platform/http/errors.ts',
    ['platform/http/errors.test'],
    ['|is not queryable$', '', 'A connection that PostgreSQL ended is reported as an internal error.'],
  ),
]

const ORDERS: readonly Mutation[] = [
  ...trading(
    'order-commands.ts',
    ['idempotency.wire', 'refusals.wire', 'positions.wire', 'orders.wire'],
    [
      "end({ type: 'closePosition', accountId: user.id, ...input, request })",
      "end({ type: 'closePosition', accountId: user.id, ...input })",
      'A close that is sent twice closes twice.',
    ],
    [
      'const isOver = (await orderQueries.ended(command.accountId, command.orderId)) !== null',
      'const isOver = command.orderId > 0',
      "Another user's order is reported as closed already.",
    ],
    [
      "if (event.type === 'positionReduced') return event.partId",
      "if (event.type === 'positionReduced') return null",
      'A partial close returns the position instead of the part.',
    ],
  ),
  ...trading(
    'account-figures.ts',
    ['positions.wire', 'orders.wire', 'receipts.wire', 'refusals.wire'],
    ['stopOuts: stopOutsOf(state, account)', 'stopOuts: []', 'The figures contain no stop-out price.'],
  ),
]

export const CALL_MUTATIONS: readonly Mutation[] = [...SOCKETS, ...REQUESTS, ...ORDERS]
