/** The catalogue in parts, so that a phone loads only the texts of the screens it shows; every screen needs `first`. */
export const MESSAGE_PARTS = {
  first: ['app', 'tabs', 'screens', 'source', 'account', 'market', 'halt'],
  trading: ['order', 'ticket', 'trade', 'chart', 'terms', 'alert', 'basics', 'tour'],
  payments: ['payments', 'payIn', 'picture', 'identity', 'factor'],
  content: ['news', 'invite', 'feedback', 'company'],
  account: [
    'auth',
    'factor',
    'passkeys',
    'user',
    'ownData',
    'funds',
    'settings',
    'support',
    'picture',
    'notices',
    'alert',
    'basics',
  ],
  copying: ['copying', 'factor'],
} as const

export type MessagePart = keyof typeof MESSAGE_PARTS
