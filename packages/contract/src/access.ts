/**
 * Who may call or see something: anyone; whoever is logged in; or only a real account's user, where a demo account is told
 * to register.
 */
export type Access = 'visitor' | 'user' | 'real'

/** Who stands before a guard. */
export type Caller = 'visitor' | 'demo' | 'real'

/**
 * The one table of who may do what (product spec §2, §5, §6). Endpoints name a line of it, and so may screens: both ends
 * guard by the same word.
 */
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

/** What stops a caller: `sessionGone` asks for a log-in, `realOnly` for a real account; null lets them in. */
export function barrierOf(access: Access, caller: Caller): 'sessionGone' | 'realOnly' | null {
  if (access === 'visitor') return null
  if (caller === 'visitor') return 'sessionGone'
  return access === 'real' && caller === 'demo' ? 'realOnly' : null
}
