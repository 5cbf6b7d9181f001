import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

const web = (file: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(`apps/web/src/${file}`, ...mutations).map((mutation) => ({ ...mutation, tests: ['apps/web'] }))

export const WEB_MUTATIONS: readonly Mutation[] = [
  ...web('live/account/account.ts', [
    'seq > last + maxAhead',
    'seq > last + maxAhead + 1',
    'One missing private message is not noticed.',
  ]),
  ...web('live/market/quotes.ts', [
    '(next.time === shown.time && next.seq >= shown.seq)',
    'next.time === shown.time',
    'An older price of the same moment replaces a newer one.',
  ]),
  ...web('live/connection/hub.ts', [
    '        if (isSubscribed) change(topic, -1)\n',
    '        change(topic, -1)\n',
    'A screen that unsubscribes twice ends the subscription of another.',
  ]),
  ...web('live/connection/hub.ts', [
    "    if (key !== null) send({ type: 'login', token: key })\n",
    '',
    'After a reconnection the socket is not logged in.',
  ]),
  ...web('app/routes.ts', [
    '(routeOf(pathname) ?? aliasOf(pathname)) !== null',
    'pathname !== null',
    'After the log-in a link leads to an unknown page.',
  ]),
  ...web('features/trading/ticket/evaluate-ticket.ts', [
    "(field === 'takeProfit') === (side === 'buy')",
    "field === 'takeProfit'",
    'The nearest stop of a sell is shown on the wrong side.',
  ]),
]
