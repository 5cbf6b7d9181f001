import { bugsOf, type Bug } from './bug.ts'

const PLUGINS = 'apps/server/src/plugins'
const TRADING = 'apps/server/src/trading'

/** Bugs where strangers come in, each with the tests that look there: all of the server's take too long for each of them. */
const door = (
  name: string,
  tests: readonly string[],
  ...bugs: readonly (readonly [string, string, string])[]
): Bug[] => bugsOf(name, ...bugs).map((bug) => ({ ...bug, tests }))

const plugin = (
  name: string,
  tests: readonly string[],
  ...bugs: readonly (readonly [string, string, string])[]
): Bug[] =>
  door(
    `${PLUGINS}/${name}`,
    tests.map((test) => `${PLUGINS}/${test}`),
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
  ...plugin(
    'socket-hub.ts',
    ['private-pushes.wire', 'socket.wire'],
    [
      '[...byUser.members(userId)].filter(({ topics }) => topics.has(topic))',
      '[...byTopic.members(topic)].filter(() => userId > 0)',
      'Ended positions and account figures go to everybody who listens.',
    ],
    ['    client.topics.delete(topic)\n', '', 'A private topic goes on after it was unsubscribed.'],
  ),
  ...plugin(
    'socket.ts',
    ['private-pushes.wire', 'socket', 'guard.wire'],
    [
      "access !== 'visitor' && !client.user",
      "access !== 'visitor' && client.user?.id === 0",
      'A private topic can be subscribed without a log-in.',
    ],
    [
      'if (!URL.canParse(origin)) return false',
      'if (!URL.canParse(origin)) return true',
      'A page that hides where it comes from may open the socket.',
    ],
    ["      socket.on('close', leave)\n", '', 'A socket that has ended counts for its address for ever.'],
    [
      'if (user && isRefusal(user)) return refuseLogIn(context)',
      'if (user && isRefusal(user)) return',
      'A log-in beyond the limit is never answered.',
    ],
  ),
  ...plugin(
    'websocket/frame-reader.ts',
    ['websocket/'],
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
  ...plugin(
    'websocket/message-reader.ts',
    ['websocket/'],
    [
      "      if (incoming?.type === 'broken') isBroken = true\n",
      '',
      'What stands behind a refused message is read.',
    ],
    ['      maxOutputLength: bytesMax,\n', '', 'A compressed message may unpack to any size.'],
  ),
  ...plugin(
    'websocket/server-socket.ts',
    ['websockets.wire', 'socket-prices.wire'],
    [
      'this.#setup.mayCompress ? message.compressed() : message.plain()',
      'message.compressed()',
      'Readers who cannot unpack get compressed frames.',
    ],
  ),
]

const REQUESTS: readonly Bug[] = [
  ...plugin(
    'guard.ts',
    ['guard.wire'],
    [
      'await ofAddress(networkOf(address))',
      '(token !== null || (await ofAddress(networkOf(address))))',
      'Made-up tokens are tried without a limit.',
    ],
  ),
  ...plugin(
    'security.ts',
    ['body.wire'],
    ['if (hosts <= 1)', 'if (hosts <= 2)', 'Two Host headers are taken.'],
  ),
  ...plugin(
    'body.ts',
    ['body.wire'],
    ['String(value) !== source', 'value === null', 'A JSON number loses the digits that no double holds.'],
  ),
  ...plugin(
    'errors.ts',
    ['errors.test'],
    ['|is not queryable$', '', 'A session that PostgreSQL ended is told as a bug of ours.'],
  ),
]

const ORDERS: readonly Bug[] = [
  ...trading(
    'changes.ts',
    ['idempotency.wire', 'refusals.wire', 'positions.wire', 'orders.wire'],
    [
      "end({ type: 'closePosition', accountId: user.id, ...input, request })",
      "end({ type: 'closePosition', accountId: user.id, ...input })",
      'A close that is sent twice closes twice.',
    ],
    [
      'const isOver = (await desk.ended(command.accountId, command.orderId)) !== null',
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
