import { bugsOf, type Bug } from './bug.ts'

type Planted = readonly [string, string, string]

const web = (file: string, ...bugs: readonly Planted[]): Bug[] =>
  bugsOf(`apps/web/src/${file}`, ...bugs).map((bug) => ({ ...bug, tests: ['apps/web'] }))

export const WEB_BUGS: readonly Bug[] = [
  ...web('live/account/account-feed.ts', [
    'seq > last + mostAhead',
    'seq > last + mostAhead + 1',
    'One missing private message is not noticed.',
  ]),
  ...web('live/market/quotes.ts', [
    '(next.time === shown.time && next.seq >= shown.seq)',
    'next.time === shown.time',
    'An older price of the same moment takes the place of a newer one.',
  ]),
  ...web('live/connection/topics.ts', [
    '        if (isHeld) change(topic, -1)\n',
    '        change(topic, -1)\n',
    'A screen that lets go twice takes the prices from another.',
  ]),
  ...web('live/connection/hub.ts', [
    "    if (key !== null) socket.send({ type: 'login', token: key })\n",
    '',
    "After a reconnect the socket is nobody's.",
  ]),
  ...web('app/route-guard.ts', [
    '(routeOf(pathname) ?? aliasOf(pathname)) !== null',
    'pathname !== null',
    'After the log-in a link leads to a page that is none of ours.',
  ]),
  ...web('features/trading/ticket/problems.ts', [
    "(field === 'takeProfit') === (side === 'buy')",
    "field === 'takeProfit'",
    'A seller is told a nearest stop on the wrong side.',
  ]),
]
