import { mutationsOf, type Mutation } from '../mutation.ts'

const FOLDER = 'apps/server/src/verify'

type Changes = readonly (readonly [string, string, string])[]

const verify = (name: string, ...mutations: Changes): Mutation[] =>
  mutationsOf(`${FOLDER}/${name}`, ...mutations).map((mutation) => ({ ...mutation, tests: [FOLDER] }))

/** Those that the forgeries of one file find. */
const forged = (test: string, name: string, ...mutations: Changes): Mutation[] =>
  mutationsOf(`${FOLDER}/${name}`, ...mutations).map((mutation) => ({
    ...mutation,
    tests: [`${FOLDER}/forged-${test}.test.ts`],
  }))

/** Mutations that let `verify` miss a forgery, or report a valid journal. */
export const VERIFY_MUTATIONS: readonly Mutation[] = [
  ...verify(
    'decision-figures.ts',
    ['allowed(event).includes(author.type)', 'true', 'Verify accepts any author of an event.'],
    [
      "if (author.type === 'user' && 'accountId' in event)",
      "if (author.type !== 'user' && 'accountId' in event)",
      "Verify accepts a user's event on another account.",
    ],
    [
      "return ['operator', 'clock']",
      "return ['operator']",
      'Verify reports a withdrawal of impossible terms as a forgery.',
    ],
  ),
  ...verify('decision-figures.ts', [
    "return [['decision', `refused: ${decided.rejected}`, 'accepted']]\n  return [['', event,",
    "return []\n  return [['', event,",
    'Verify accepts positions that the terms at that time did not allow.',
  ]),
  ...verify('decision-figures.ts', [
    'if (!account || account.exposures.size === 0) return state',
    'if (account) return state',
    'Verify requires prices that the journal does not contain when an account with positions withdraws.',
  ]),
  ...verify(
    'clock-figures.ts',
    ["    ['night', night, next.night],\n", '', 'Verify accepts any rate of a rollover.'],
    [
      '(announced.get(changeId)?.effectiveAt ?? Infinity) <= at',
      'announced.has(changeId)',
      'Verify accepts that the clock withdraws announced terms before their time.',
    ],
  ),
  ...verify(
    'price-figures.ts',
    [
      "  [code, isEnabled ? 'on' : 'off', 'on'],\n",
      '',
      'Verify accepts positions opened on a disabled instrument.',
    ],
    [
      "  ['account status', accounts.get(accountId)?.status, 'active'],\n",
      '',
      'Verify accepts positions opened on a close-only account.',
    ],
    [
      '    tickValidity(state, tick),\n    [`age',
      '    [`age',
      'Verify accepts stops that trail a price which the tick guard rejects.',
    ],
    [
      "isStoppedOut(state, equity, account.margin) ? 'due'",
      "account ? 'due'",
      'Verify accepts stop-outs above the stop-out level.',
    ],
  ),
  ...verify('table-rows.ts', [
    'Object.assign(expected.get(id) ?? {}, status)',
    'Object.assign({}, expected.get(id), status)',
    'Verify does not follow changes of the account status.',
  ]),
  ...verify(
    'two-operator-entries.ts',
    [
      'if (row.second_id === row.operator_id)',
      'if (row.second_id === 0n)',
      'Verify accepts an approval of the requesting operator.',
    ],
    [
      'else if (isInForce && row.second_id === null)',
      'else if (!isInForce && row.second_id === null)',
      'Verify accepts an audit entry of one operator where two are needed.',
    ],
    [
      "is['isOn'] === false && Object.keys(is).length === 1",
      "is['isOn'] === false",
      'Verify takes a switched-off operator or channel with other changes for a plain switch.',
    ],
    [
      "return is['identity'] === 'verified' ? 'verifyPerson' : null",
      'return null',
      'Verify accepts a verification without documents by one operator.',
    ],
    [
      "return Object.hasOwn(is, 'role') && !isSwitchedOff ? 'changeOperator' : null",
      'return null',
      'Verify accepts a new role by one operator.',
    ],
  ),
  ...verify(
    'payment-setup.ts',
    [
      '      if (!expected) yield `${name}: no audit entry says that it was set up`\n',
      '',
      'Verify accepts a deposit address that nobody set up.',
    ],
    [
      '        if (difference !== null) yield `${difference}, as the audit log says`\n',
      '',
      'Verify accepts a deposit address that was changed in the table.',
    ],
    [
      '      if (!rows.has(id)) yield `${KINDS[kind]} ${id} is in the audit log and not in the tables`\n',
      '      if (!rows.has(id)) yield* []\n',
      'Verify accepts that a deposit address was deleted from the table.',
    ],
  ),
  ...verify('clock-figures.ts', [
    "['equity', equity, now]",
    "['equity', equity, equity]",
    'Verify accepts any equity at the end of an hour.',
  ]),
  ...forged(
    'users',
    'user-rows.ts',
    [
      'return isAlone && !firstScores.has(String(found.credit_score))',
      'return !isAlone && !firstScores.has(String(found.credit_score))',
      'Verify accepts a credit score that nobody set and no new user has got.',
    ],
    [
      "(!isClosed && isErased(account.id) ? ': closed_at is null, the journal closed the account' : null) ??",
      '',
      'Verify accepts that a closed account is open again in the tables.',
    ],
    [
      "(isClosed && logIn ? ' is closed, and can still log in' : null) ??",
      '',
      'Verify accepts a log-in of a closed account.',
    ],
    [
      "if (!logIn) return isRegistered ? ': its log-in is missing' : null",
      'if (!logIn) return null',
      'Verify accepts that the log-in of a user was deleted.',
    ],
    [
      'firstDifference(email_key, email?.toLowerCase() ?? null',
      'firstDifference(email_key, email_key',
      'Verify accepts a log-in by another address than the one that gets the messages.',
    ],
    [
      'return isInviter && !hasClosed ? null',
      'return inviter && !hasClosed ? null',
      'Verify accepts that a demo user has invited somebody.',
    ],
    [
      'if (versions.size > 0 && !versions.has(version))',
      'if (versions.size > 9 && !versions.has(version))',
      'Verify accepts a consent to another version of the legal texts.',
    ],
    [
      "if (is_demo === 0n && !isRecorded('registered', created_at))",
      'if (is_demo > 1n)',
      'Verify accepts another moment of a registration.',
    ],
    [
      'if (appSince === null && apps > resets)',
      'if (appSince === null && apps > resets + 1)',
      "Verify accepts that a user's second factor was switched off.",
    ],
    [
      'if (passkeys.length > added ||',
      'if (passkeys.length > added + 9 ||',
      'Verify accepts a passkey that nobody added.',
    ],
    [
      '  if (further) yield `note',
      '  if (further && entries.length > 9) yield `note',
      'Verify accepts a note that nobody wrote.',
    ],
    [
      'if (isLast && isStaff && !found.has(userId))',
      'if (isLast && !isStaff && !found.has(userId))',
      'Verify accepts that a user works for the broker no longer.',
    ],
  ),
  ...forged(
    'users',
    'identity-rows.ts',
    [
      'firstDifference(times_sent, sent, `${name}: times_sent`) ??',
      '',
      'Verify accepts that decided documents wait again.',
    ],
    [
      'firstDifference(row.front_owner, userId, `${name}: the owner of its front`) ??',
      '',
      "Verify accepts the document of somebody else in a user's check.",
    ],
    [
      'timeDifference(row.at, found.entry, `${name}: at`)',
      'null',
      'Verify accepts another moment of a verification.',
    ],
  ),
  ...forged(
    'users',
    'operator-log-ins.ts',
    [
      'confirmedAt !== null, expected.hasFactor',
      'confirmedAt !== null, confirmedAt !== null',
      'Verify accepts that the second factor of an operator was switched off.',
    ],
    [
      'names.toSorted(), expected.passkeys.toSorted()',
      '[], []',
      'Verify accepts a passkey that an operator did not add.',
    ],
  ),
  ...forged(
    'candles',
    'candle-rows.ts',
    [
      'if (bars.length > 0 && !bars.some((bar) => bar.low <= low && bar.high >= high))',
      'if (bars.length > 9)',
      'Verify accepts a candle without the prices that the journal names.',
    ],
    [
      'if (bars.length === 0 && kind !== null)',
      'if (bars.length === 0 && kind === null)',
      'Verify accepts that a candle of a price in the journal was deleted.',
    ],
    [
      'if (!bars.some((bar) => bar.low <= mid && bar.high >= mid))',
      'if (mid < 0)',
      'Verify accepts a last price outside the candle of its minute.',
    ],
    [
      'const isComplete = isFromTicks || bar.volume === merged.volume',
      'const isComplete = !isFromTicks && bar.volume === merged.volume',
      'Verify accepts a longer candle that is not made from the shorter ones.',
    ],
    [
      "return isFromTicks ? ' is missing, shorter ones of its time are there' : null",
      'return null',
      'Verify accepts that a longer candle was deleted.',
    ],
    [
      '  if (since === Infinity) return\n',
      '  if (since > 0) return\n',
      'Verify accepts a longer candle without shorter ones.',
    ],
    [
      "if (isNext && run !== '') ends.push({ from: last - LATE_MS, until: at + AHEAD_MS })",
      '',
      'Verify reports the candles of a moment at which the server crashed.',
    ],
  ),
  ...forged(
    'rights',
    'operator-rights.ts',
    [
      'if (!standing) return `operator ${id} did not exist`',
      'if (!standing) return null',
      'Verify accepts an audit entry of an operator who did not exist.',
    ],
    [
      'each.role === role && each.isActive)',
      'each.role === role)',
      'Verify accepts an audit entry of an operator who had been switched off.',
    ],
    [
      'each.role === role && each.isActive)',
      'each.isActive)',
      'Verify accepts an audit entry in a role that its operator did not have.',
    ],
    [
      'return isWithdrawn || isApproved || mayDo(role, act)',
      'return isWithdrawn || isApproved || role !== undefined',
      'Verify accepts an audit entry that the role of its operator did not allow.',
    ],
    [
      'return permissions.length === 0 || mayApprove',
      'return permissions.length >= 0 || mayApprove',
      'Verify accepts a second operator whose role did not allow it.',
    ],
    [
      "if (row.act !== 'changeSettings' || !isSetting)",
      "if (row.act === 'changeSettings' && !isSetting)",
      'Verify accepts any audit entry in the name of the deployment.',
    ],
    [
      'former && now <= former.until ? [current, former.standing] : [current]',
      '[current]',
      'Verify reports a call that was on its way while its operator was switched off.',
    ],
  ),
]
