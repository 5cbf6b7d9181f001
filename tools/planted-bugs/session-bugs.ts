import { bugsOf, type Bug } from './bug.ts'

type Planted = readonly [string, string, string]

const SERVER = 'apps/server/src/'

/** Bugs of a file of the server, and the test files that are to catch them. */
const server = (file: string, tests: readonly string[], ...bugs: readonly Planted[]): Bug[] =>
  bugsOf(SERVER + file, ...bugs).map((bug) => ({ ...bug, tests: tests.map((test) => SERVER + test) }))

/** Who gets in, how often they may try, and how long they stay. */
export const SESSION_BUGS: readonly Bug[] = [
  ...server(
    'http/api.ts',
    ['auth/login.wire.test.ts'],
    [
      'address: request.ip',
      "address: String(request.headers['x-forwarded-for'] ?? request.ip)",
      'Failed log-ins count for an address that the caller writes.',
    ],
  ),
  ...server(
    'http/access-guard.ts',
    ['http/access-guard.wire.test.ts'],
    [
      'ofAddress(networkOf(address))',
      'ofAddress(token ?? networkOf(address))',
      'Each made-up token may call as often as an address.',
    ],
    [
      'known ? await ofUser(known.id) :',
      'known ? await ofUser(0) :',
      'One user who calls too often stops all the others.',
    ],
  ),
  ...server(
    'http/rate-limits.ts',
    ['http/rate-limits.test.ts'],
    ['groups.slice(0, 4)', 'groups.slice(0, 8)', 'Each IPv6 address of one person counts for itself.'],
    [
      '(await steady(key)) || further(key)',
      'further(key)',
      'The steady rate of calls is not there on top of the burst.',
    ],
  ),
  ...server(
    'http/login-sessions.ts',
    ['http/login-sessions.test.ts'],
    [
      'if (isCurrent()) memory.keep(hash, session)',
      'memory.keep(hash, session)',
      'A look-up that a log-out has overtaken brings its session back.',
    ],
    [' || now() - startedAt >= lifetimes.absoluteMs', '', 'A session that is used goes on for ever.'],
    [
      '        await endAll(userId, true)\n',
      '',
      'A session that was started while the password changed goes on.',
    ],
    [
      'publicId(hash) === id)\n',
      'publicId(hash) !== id)\n',
      'Ending one session ends all the others instead.',
    ],
  ),
  ...server(
    'websocket/socket-hub.ts',
    ['auth/login-session.wire.test.ts'],
    [
      '    if (client.tokenHash !== tokenHash) continue\n    logOut(client)\n',
      '    if (client.tokenHash !== tokenHash) continue\n    logOut(client)\n    if (!isRevoked) return\n',
      'A log-out silences only the first socket of its session.',
    ],
  ),
  ...server(
    'websocket/socket-hub.ts',
    ['auth/password.wire.test.ts'],
    [
      'if (isRevoked) client.socket.close(SESSION_REVOKED)\n',
      '\n',
      'A new password only silences the sockets of old sessions.',
    ],
  ),
  ...server(
    'auth/attempt-limits.ts',
    ['http/access-guard.wire.test.ts', 'auth/attempt-limits.test.ts'],
    ['let hasFailed = false', 'let hasFailed = true', 'A check that breaks off counts as a failed try.'],
  ),
  ...server(
    'auth/login.ts',
    ['auth/login.wire.test.ts'],
    [
      "      .where('fingerprint', '=', fingerprint)\n",
      '',
      'Every browser counts as one that the owner has logged in from.',
    ],
    [
      'BigInt(member?.userId ?? NOBODY)',
      'BigInt(NOBODY)',
      'Guesses from many networks lock the owner out of their own browser.',
    ],
  ),
  ...server(
    'auth/verification-codes.ts',
    ['auth/registration.wire.test.ts'],
    [
      ".where('sent_at', '>', time() - BigInt(GOOD_FOR_MS))",
      ".where('sent_at', '>', 0n)",
      'A code that was sent is good for ever.',
    ],
  ),
  ...server(
    'auth/captcha.ts',
    ['auth/captcha.test.ts'],
    ['    open.delete(id)\n', '', 'One picture may be answered until an answer is right.'],
  ),
]
