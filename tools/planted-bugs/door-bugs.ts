import { bugsOf, type Bug } from './bug.ts'

const SERVER = 'apps/server/src'
const TRADING = 'apps/server/src/trading'

/** Bugs of the calls and sockets that anybody may open, each with the tests that look there: all of the server's take too long for each of them. */
const door = (
  name: string,
  tests: readonly string[],
  ...bugs: readonly (readonly [string, string, string])[]
): Bug[] => bugsOf(name, ...bugs).map((bug) => ({ ...bug, tests }))

const server = (
  name: string,
  tests: readonly string[],
  ...bugs: readonly (readonly [string, string, string])[]
): Bug[] =>
  door(
    `${SERVER}/${name}`,
    tests.map((test) => `${SERVER}/${test}`),
    ...bugs,
  )

const trading = (
  name: string,
  tests: readonly string[],
  ...bugs: readonly (readonly [string, string, string])[]
): Bug[] =>
  door(
    `${TRADING}/${name}`,
    tests.map((test) => `${TRADING}/${test}`),
    ...bugs,
  )

const SOCKETS: readonly Bug[] = [
  ...server(
    'websocket/socket-hub.ts',
    ['websocket/private-pushes.wire', 'websocket/socket-routes.wire'],
    [
      '[...byUser.members(userId)].filter(({ topics }) => topics.has(topic))',
      '[...byTopic.members(topic)].filter(() => userId > 0)',
      'Ended positions and account figures go to everybody who listens.',
    ],
    ['    client.topics.delete(topic)\n', '', 'A private topic goes on after it was unsubscribed.'],
  ),
  ...server(
    'websocket/own-origin.ts',
    ['websocket/own-origin', 'websocket/socket-prices.wire'],
    [
      'if (!URL.canParse(origin)) return false',
      'if (!URL.canParse(origin)) return true',
      'A page that hides where it comes from may open the socket.',
    ],
  ),
  ...server(
    'websocket/socket-routes.ts',
    ['websocket/private-pushes.wire', 'websocket/socket-routes', 'http/access-guard.wire'],
    [
      "access !== 'visitor' && !client.user",
      "access !== 'visitor' && client.user?.id === 0",
      'A private topic can be subscribed without a log-in.',
    ],
    ["      socket.on('close', leave)\n", '', 'A socket that has ended counts for its address for ever.'],
    [
      'if (user && isRefusal(user)) return refuseLogIn(context)',
      'if (user && isRefusal(user)) return',
      'A log-in beyond the limit is never answered.',
    ],
  ),
  ...server(
    'websocket/protocol/frame-reader.ts',
    ['websocket/protocol'],
    [
      'hasReservedBits || !isMasked || !isKnown',
      'hasReservedBits || !isKnown',
      'Frames of clients need no mask.',
    ],
    [
      'if (length > limits.bytesMax) return',
      'if (length > 2 * limits.bytesMax + 1e9) return',
      'A frame may be as long as its header says.',
    ],
  ),
  ...server(
    'websocket/protocol/message-reader.ts',
    ['websocket/protocol'],
    [
      "      if (incoming?.type === 'broken') isBroken = true\n",
      '',
      'What stands behind a refused message is read.',
    ],
    ['      maxOutputLength: bytesMax,\n', '', 'A compressed message may unpack to any size.'],
  ),
  ...server(
    'websocket/protocol/server-socket.ts',
    ['websocket/websockets.wire', 'websocket/socket-prices.wire'],
    [
      'this.#setup.mayCompress ? message.compressed() : message.plain()',
      'message.compressed()',
      'Readers who cannot unpack get compressed frames.',
    ],
  ),
]

const REQUESTS: readonly Bug[] = [
  ...server(
    'http/access-guard.ts',
    ['http/access-guard.wire'],
    [
      'await ofAddress(networkOf(address))',
      '(token !== null || (await ofAddress(networkOf(address))))',
      'Made-up tokens are tried without a limit.',
    ],
  ),
  ...server(
    'http/security.ts',
    ['http/body-parser.wire'],
    ['if (hosts <= 1)', 'if (hosts <= 2)', 'Two Host headers are taken.'],
  ),
  ...server(
    'http/body-parser.ts',
    ['http/body-parser.wire'],
    ['String(value) !== source', 'value === null', 'A JSON number loses the digits that no double holds.'],
  ),
  ...server(
    'http/errors.ts',
    ['http/errors.test'],
    ['|is not queryable$', '', 'A session that PostgreSQL ended is told as a bug of ours.'],
  ),
]

const ORDERS: readonly Bug[] = [
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
      "Somebody else's order is told as closed already.",
    ],
    [
      "if (event.type === 'positionReduced') return event.partId",
      "if (event.type === 'positionReduced') return null",
      'Closing a part answers the position instead of the part.',
    ],
  ),
  ...trading(
    'routes.ts',
    ['positions.wire', 'orders.wire', 'receipts.wire', 'refusals.wire'],
    ['stopOuts: stopOutsOf(state, account)', 'stopOuts: []', 'The figures name no stop-out price.'],
  ),
]

export const DOOR_BUGS: readonly Bug[] = [...SOCKETS, ...REQUESTS, ...ORDERS]
