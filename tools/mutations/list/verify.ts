import { mutationsOf, type Mutation } from '../mutation.ts'

const FOLDER = 'apps/server/src/verify'
const AUDIT_CHAIN = 'apps/server/src/desk/audit-log/audit-chain.test.ts'

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
  ...forged(
    'rows',
    'audit-log.ts',
    [
      "    firstDifference(row.act, isOneOf(row.act, acts), 'kind') ??\n",
      '',
      'Verify accepts an audit entry of another kind than its journal entry.',
    ],
    [
      "    firstDifference(row.subject, isOneOf(row.subject, subjects), 'subject') ??\n",
      '',
      'Verify accepts an audit entry about another subject than its journal entry.',
    ],
    [
      "    firstDifference(row.account_id, accountId, 'account') ??\n",
      '',
      'Verify accepts an audit entry about another account than its journal entry.',
    ],
    [
      "  firstDifference(row.reason, reason.trim(), 'reason') ??\n",
      '',
      'Verify accepts an audit entry with another reason than its journal entry.',
    ],
    [
      "  firstDifference(row.role, role, 'role') ??\n",
      '',
      'Verify accepts an audit entry with another role than its journal entry.',
    ],
    [
      "firstDifference(row.second_id, second?.id ?? null, 'second operator')",
      'null',
      'Verify accepts an audit entry with another second operator than its journal entry.',
    ],
    [
      "    valueDifference(row.after, facts.after, 'after') ??\n",
      '',
      'Verify accepts a journal rewritten to another amount than the audit log says was credited.',
    ],
    [
      "    valueDifference(row.before, facts.before, 'before') ??\n",
      '',
      'Verify accepts another reported amount in the audit log.',
    ],
    [
      "'after') ??\n    missingValue(row, facts)",
      "'after')",
      'Verify accepts an audit entry without the amount that was credited.',
    ],
    [
      'return kind === null ? null : `it says',
      'return kind !== undefined ? null : `it says',
      'Verify accepts an audit entry of a credit that the engine never made.',
    ],
    [
      '      if (missing) yield `',
      '      if (missing && missing.isRecorded) yield `',
      'Verify accepts a decision in the journal without its audit entry.',
    ],
    [
      'if (recorded.length > 0) return haltsBeyond(row, recorded)',
      'if (recorded.length > 0) return null',
      'Verify accepts an audit entry that names more halts than the journal.',
    ],
  ),
  ...mutationsOf(`${FOLDER}/audit-log.ts`, [
    'if (!follows || hashOfAuditEntry(rest) !== hash)',
    'if (!follows)',
    'Verify accepts an audit entry that does not match its hash.',
  ]).map((mutation) => ({ ...mutation, tests: [AUDIT_CHAIN] })),
  ...forged(
    'rows',
    'desk-rows.ts',
    [
      '        firstDifference(row.role, journaled.role, `${name}: role`) ??\n',
      '',
      'Verify accepts a role that nobody gave.',
    ],
    [
      'firstDifference(row.is_on === 1n, journaled.isActive, `${name}: is_on`)',
      'null',
      'Verify accepts an operator who was switched off in the table.',
    ],
    [
      '    if (!journaled) yield `${name} is not in the journal`\n    else {',
      '    if (journaled) {',
      'Verify accepts an operator whom nobody invited.',
    ],
    [
      '  for (const id of missing) yield `operator ${id} is in the journal and not in the tables`\n',
      '',
      'Verify accepts that an operator was deleted from the table.',
    ],
    [
      '  if (changed !== null) return changed\n',
      '',
      'Verify does not compare a payout address with its digest in the journal.',
    ],
    [
      '    if (!bound) {\n      yield `${name} is not in the journal`\n      continue\n    }\n',
      '    if (!bound) continue\n',
      'Verify accepts a payout address that nobody added.',
    ],
    [
      '  for (const id of isSettled ? missing : [])\n    yield `payout method',
      '  for (const id of isSettled && methods.size === 0 ? missing : [])\n    yield `payout method',
      'Verify accepts that a payout address was deleted.',
    ],
    [
      '      firstDifference(toUnits(row.price, PAYOUT_PRICE_DECIMALS), payout.price, `${name}: price`) ??\n',
      '',
      'Verify accepts another price of a withdrawal than the journal fixed.',
    ],
    [
      '      firstDifference(toUnits(row.received, PAYOUT_DECIMALS), payout.received, `${name}: received`) ??\n',
      '',
      'Verify accepts another payout of a withdrawal than the journal fixed.',
    ],
    [
      '(isErased || !bound ? null : firstDifference(digest, bound.digest, `${name}: digest of its method`))',
      'null',
      'Verify accepts a withdrawal to another address than was bound.',
    ],
    [
      "if (!end) return row.status === 'waiting' ? null : `it is",
      "if (!end) return row.status !== '' ? null : `it is",
      'Verify accepts an approval that nobody gave.',
    ],
    [
      "    firstDifference(row.status, approval, 'status') ??\n",
      '',
      'Verify accepts an approval that was opened again.',
    ],
    [
      'each.bodyHash === null || each.bodyHash === hash',
      'each.bodyHash !== undefined',
      'Verify accepts an approval of another command than was requested.',
    ],
    [
      '        if (entry !== undefined)\n',
      '        if (entry !== undefined && entry.id < 0n)\n',
      'Verify accepts that a waiting approval was deleted.',
    ],
    [
      '(reference === undefined ? null : firstDifference(row.reference, reference, `${name}: reference`))',
      'null',
      'Verify accepts another transaction number of a payment.',
    ],
    [
      "          row('money_case.account_id', '<>', row.ref('user_id')),\n",
      '',
      'Verify accepts the row of a deposit under another user.',
    ],
    [
      'if (!expected && isAppSetting(name) && isRecorded)',
      'if (!expected && !isAppSetting(name) && isRecorded)',
      'Verify accepts a setting that nobody changed.',
    ],
    [
      '          firstDifference(row.value, expected.value, `setting ${name}: value`) ??\n',
      '',
      'Verify accepts another value of a setting.',
    ],
  ),
  ...forged(
    'rows',
    'market-rows.ts',
    [
      '          if (difference !== null) yield difference\n        }\n      }\n      for (const rollover of found.keys())',
      "          if (difference === '') yield difference\n        }\n      }\n      for (const rollover of found.keys())",
      'Verify accepts other rates and another end of a rollover in the table.',
    ],
    [
      'if (!expected.has(rollover)) yield',
      'if (rollover < 0 && !expected.has(rollover)) yield',
      'Verify accepts an invented rollover.',
    ],
    [
      '{ bid: foundBid, ask: foundAsk, time: foundTime, source: foundSource, markUp: foundMarkUp }',
      '{ bid, ask: foundAsk, time: foundTime, source: foundSource, markUp: foundMarkUp }',
      'Verify accepts another last price.',
    ],
    [
      'if (row.bid > row.ask) return',
      'if (row.bid > 10n * row.ask) return',
      'Verify accepts a last price whose sides are crossed.',
    ],
    [
      "    'its low is above another of its prices': sql<boolean>`low > open or low > close or low > high`,\n",
      '',
      'Verify accepts a candle whose low is above its open.',
    ],
  ),
  ...forged(
    'rows',
    'report-sums.ts',
    [
      "sum ? firstDifference(row, sum, '') : 'it should not be there'",
      "sum ? null : 'it should not be there'",
      'Verify accepts any sum of a report.',
    ],
    [
      "sum ? firstDifference(row, sum, '') : 'it should not be there'",
      "sum ? firstDifference(row, sum, '') : null",
      'Verify accepts an invented day of a report.',
    ],
    [
      '  for (const key of byKey.keys()) yield `report sums: ${name} ${key} is missing`\n',
      '',
      'Verify accepts that a sum was deleted from the reports.',
    ],
  ),
  ...forged('rows', 'mailed-hashes.ts', [
    'if (difference !== null) yield `hashes mailed on',
    "if (difference !== null && row.day === '') yield `hashes mailed on",
    'Verify accepts a journal that was rewritten after its hash was mailed.',
  ]),
  ...forged(
    'rows',
    'two-operator-entries.ts',
    [
      "  if (is['password'] === 'none') return 'resetOperator'\n",
      '',
      'Verify accepts the reset of a log-in by one operator.',
    ],
    [
      "  if (is['invitation'] === 'renewed') return 'renewInvitation'\n",
      '',
      'Verify accepts new keys of an invitation by one operator.',
    ],
    [
      "return SETTINGS_OF_TWO.includes(subject.replace('setting:', '')) ? 'setting' : null",
      'return null',
      'Verify accepts a setting of two operators changed by one.',
    ],
    [
      "return subject.startsWith('withdrawalCurrency:') ? 'payoutCurrency' : 'receivingAccount'",
      'return null',
      'Verify accepts a receiving account or a payout price by one operator.',
    ],
    [
      "  if (Object.hasOwn(is, 'name')) return 'inviteOperator'\n",
      '',
      'Verify takes an invitation by one operator for a change of a role.',
    ],
  ),
]
