/**
 * Who may call or see something: anyone; any logged-in user; or only the user of a real account, where a demo account
 * gets a request to register.
 */
export type Access = 'visitor' | 'user' | 'real'

/** The caller whose access is checked. */
export type Caller = 'visitor' | 'demo' | 'real'

/** The only table of access. Endpoints name a key of it, and so may screens: server and client check the same key. */
export const ACCESS = {
  signUp: 'visitor',
  information: 'visitor',
  market: 'visitor',
  watchList: 'user',
  session: 'user',
  trading: 'user',
  funds: 'user',
  password: 'real',
  identity: 'real',
  invite: 'real',
  charge: 'real',
  withdraw: 'real',
  wallet: 'real',
  upload: 'real',
  chat: 'user',
} as const satisfies Record<string, Access>

/** The reason to refuse a caller: `sessionGone` requires a log-in, `realOnly` a real account; null grants access. */
export function barrierOf(access: Access, caller: Caller): 'sessionGone' | 'realOnly' | null {
  if (access === 'visitor') return null
  if (caller === 'visitor') return 'sessionGone'
  return access === 'real' && caller === 'demo' ? 'realOnly' : null
}
