import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

const SERVER = 'apps/server/src/'

/** Mutations of a server file, with the test files that must catch them. */
const server = (file: string, tests: readonly string[], ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(SERVER + file, ...mutations).map((mutation) => ({
    ...mutation,
    tests: tests.map((test) => SERVER + test),
  }))

/** Mutations of log-ins, rate limits and sessions. */
export const SESSION_MUTATIONS: readonly Mutation[] = [
  ...server(
    'platform/http/api.ts',
    ['accounts/login.wire.test.ts'],
    [
      'address: request.ip',
      "address: String(request.headers['x-forwarded-for'] ?? request.ip)",
      'Failed log-ins count for an address that the caller can forge.',
    ],
  ),
  ...server(
    'platform/http/access-guard.ts',
    ['platform/http/access-guard.wire.test.ts'],
    [
      'ofAddress(networkOf(address))',
      'ofAddress(token ?? networkOf(address))',
      'Each invalid token has a rate limit of its own.',
    ],
    [
      'known ? await ofUser(known.id) :',
      'known ? await ofUser(0) :',
      'One user above the rate limit blocks all others.',
    ],
  ),
  ...server(
    'platform/network-address.ts',
    ['platform/network-address.test.ts'],
    ['groups.slice(0, 4)', 'groups.slice(0, 8)', 'Each IPv6 address of one network has a limit of its own.'],
  ),
  ...server(
    'platform/rate-limits.ts',
    ['platform/rate-limits.test.ts'],
    [
      '(await steady(key)) || further(key)',
      'further(key)',
      'The steady rate of calls is missing on top of the burst.',
    ],
  ),
  ...server(
    'platform/http/login-sessions.ts',
    ['platform/http/login-sessions.test.ts'],
    [
      'if (isCurrent()) memory.keep(hash, session)',
      'memory.keep(hash, session)',
      'A look-up during a log-out restores the session.',
    ],
    [' || now() - startedAt >= lifetimes.absoluteMs', '', 'A session in use never expires.'],
    ['        await endAll(userId, true)\n', '', 'A session started during a password change is not ended.'],
    [
      'publicId(hash) === id)\n',
      'publicId(hash) !== id)\n',
      'Ending one session ends all the others instead.',
    ],
  ),
  ...server(
    'platform/sockets/socket-hub.ts',
    ['accounts/login-session.wire.test.ts'],
    [
      '    if (client.tokenHash !== tokenHash) continue\n    logOut(client)\n',
      '    if (client.tokenHash !== tokenHash) continue\n    logOut(client)\n    if (!isRevoked) return\n',
      'A log-out ends only the first socket of its session.',
    ],
  ),
  ...server(
    'platform/sockets/socket-hub.ts',
    ['accounts/password.wire.test.ts'],
    [
      'if (isRevoked) client.socket.close(SESSION_REVOKED)\n',
      '\n',
      'A new password does not close the sockets of old sessions.',
    ],
  ),
  ...server(
    'platform/security/attempt-limits.ts',
    ['platform/http/access-guard.wire.test.ts', 'platform/security/attempt-limits.test.ts'],
    ['let hasFailed = false', 'let hasFailed = true', 'An interrupted check counts as a failed attempt.'],
  ),
  ...server(
    'platform/security/known-logins.ts',
    ['accounts/login.wire.test.ts'],
    [
      "    .where('fingerprint', '=', fingerprint)\n",
      '',
      'Every browser counts as a known browser of the owner.',
    ],
  ),
  ...server(
    'accounts/login.ts',
    ['accounts/login.wire.test.ts'],
    [
      'user?.userId ?? NO_USER',
      'NO_USER',
      'Guesses from many networks lock the owner out in a known browser.',
    ],
  ),
  ...server(
    'accounts/verification-codes.ts',
    ['accounts/registration.wire.test.ts'],
    [
      ".where('sent_at', '>', time() - BigInt(VALID_FOR_MS))",
      ".where('sent_at', '>', 0n)",
      'A verification code never expires.',
    ],
  ),
  ...server(
    'accounts/captcha.ts',
    ['accounts/captcha.test.ts'],
    ['    open.delete(id)\n', '', 'A captcha can be answered repeatedly.'],
  ),
]
