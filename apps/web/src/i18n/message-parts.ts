/** The catalogue in parts, so that a phone loads the words of the screens it shows. `first`: what every screen needs. */
export const MESSAGE_PARTS = {
  first: ['app', 'tabs', 'screens', 'source', 'account', 'market', 'halt'],
  trading: ['order', 'ticket', 'trade', 'chart', 'terms'],
  payments: ['payments', 'payIn', 'picture', 'identity'],
  reading: ['news', 'invite', 'feedback', 'company'],
  own: ['auth', 'user', 'ownData', 'funds', 'settings', 'support', 'picture', 'notices'],
} as const

export type MessagePart = keyof typeof MESSAGE_PARTS
