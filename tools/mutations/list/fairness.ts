import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [text: string, replacement: string, description: string]

const CORE = 'packages/core/src/'
const SERVER = 'apps/server/src/'

/** Mutations of a file, with the one test file that must catch them. */
const testedBy = (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(file, ...mutations).map((mutation) => ({ ...mutation, tests: [test] }))
const core = (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
  testedBy(CORE + file, CORE + test, ...mutations)
const server = (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
  testedBy(SERVER + file, SERVER + test, ...mutations)

const SETTINGS_OF_TWO = [
  'card_payment_link',
  'closing_left_max',
  'journal_hash_recipients',
  'payout_wait_hours',
  'unverified_may_withdraw',
]

const VOID: readonly Mutation[] = [
  ...server('desk/operators/operator-changes.ts', 'desk/operators/operator-keys.wire.test.ts', [
    '    await releaseCases(within, id)\n    await voidKeysOf(within, id)\n',
    '    await releaseCases(within, id)\n',
    'Keys admit an operator after one of the two who gave them was switched off.',
  ]),
  ...server('desk/operators/operators.ts', 'desk/operators/operator-keys.wire.test.ts', [
    "row.or([row('invited_by', '=', BigInt(operatorId)), row('confirmed_by', '=', BigInt(operatorId))])",
    "row('invited_by', '=', BigInt(operatorId))",
    'Keys admit an operator after the second of those who gave them was switched off.',
  ]),
  ...server('desk/approvals/approvals.ts', 'desk/approvals/two-operators.wire.test.ts', [
    "password === 'none' || ",
    '',
    'What was requested with a stolen log-in can be approved after the reset.',
  ]),
]

const FIRST_LOG_IN: readonly Mutation[] = [
  ...server('desk/operators/desk-login.ts', 'desk/operators/desk-login.wire.test.ts', [
    'found && (await known.isNew(found.id))',
    'found === undefined',
    'Strangers lock out the first administrator before the first log-in.',
  ]),
  ...server('accounts/password-routes.ts', 'accounts/password.wire.test.ts', [
    '    await saveOrigin(proved.registered.userId, { address, device, network }, parts.now(), queries)\n',
    '',
    'Strangers lock out a user in the browser that has just reset the password.',
  ]),
]

const SETTINGS: readonly Mutation[] = [
  ...SETTINGS_OF_TWO.flatMap((name) =>
    server('settings/desk-settings.ts', 'settings/desk-settings.wire.test.ts', [
      '    if (SETTINGS_OF_TWO.includes(name)) {',
      `    if (SETTINGS_OF_TWO.includes(name) && name !== '${name}') {`,
      `One administrator changes ${name} at once.`,
    ]),
  ),
  ...server('platform/config/app-settings.ts', 'platform/config/app-settings.test.ts', [
    'value > most ? String(most) : text',
    'text',
    'A start fails by a stored number that is beyond a newer range.',
  ]),
  ...server(
    'settings/desk-settings.ts',
    'settings/desk-settings.wire.test.ts',
    [
      'liveSettings.change(name, value, from)',
      'liveSettings.change(name, value)',
      'A setting that gets worse is announced, and in force at once all the same.',
    ],
    [
      'holds_from: from === null ? null : BigInt(from),',
      'holds_from: null,',
      'A restart puts an announced setting into force.',
    ],
    [
      '        await announce(within, change, { reason: by.reason, from })\n',
      '',
      'Traders are not shown a changed setting about payments.',
    ],
    [
      'value === null && !SETTINGS_OF_TWO.includes(name)',
      'value === null',
      'After a reset to its default a start sets a setting of two operators.',
    ],
    [
      "return isAsItWas ? null : refuse('formOutdated')",
      'return null',
      'An approval changes a setting that has changed since its request.',
    ],
  ),
  ...server('platform/config/app-settings.ts', 'settings/desk-settings.wire.test.ts', [
    'if (value !== undefined && requested !== null && requested !== value)',
    'if (value !== undefined && requested !== null && requested === null)',
    'A start changes a setting of two operators without a word.',
  ]),
  ...server(
    'funds/payment-changes.ts',
    'settings/desk-settings.wire.test.ts',
    [
      'Number(after) > Number(before)',
      'Number(after) > Infinity',
      'A longer wait for payouts holds at once.',
    ],
    [
      'unverified_may_withdraw: (before, after) => Number(after) < Number(before),',
      'unverified_may_withdraw: () => false,',
      'Unverified users lose their withdrawals without notice.',
    ],
    [
      'closing_left_max: (before, after) => Number(after) < Number(before),',
      'closing_left_max: () => false,',
      'Less money may be left on an account that is closed, without notice.',
    ],
    ['  card_payment_link: () => false,\n', '', 'Traders are not shown another link for card payments.'],
  ),
  ...server(
    'funds/desk/withdrawal-currencies.ts',
    'funds/desk/payment-setup.wire.test.ts',
    [
      'JSON.stringify(factsOf({ ...before, isOn: false }))',
      'JSON.stringify(factsOf({ ...before, isOn: false, personDayLimit: form.personDayLimit }))',
      'One operator changes the daily limit of a payout currency by switching it off.',
    ],
    [
      'if (before && isSwitchOff(before, typed)) {',
      'if (before && (isSwitchOff(before, typed) || before.personDayLimit !== typed.personDayLimit)) {',
      'One operator changes the daily limit of a payout currency.',
    ],
  ),
  ...server('funds/desk/receiving-accounts.ts', 'funds/desk/receiving-accounts.test.ts', [
    '      if (duplicate) return duplicate\n',
    `      if (duplicate) return duplicate
      if (before && shownChange(before, form).fields.length > 0) {
        const done = await queries.transaction().execute((within) => write(within, change, now()))
        return done ?? { approvalId: null }
      }
`,
    'One operator changes the daily limits of a receiving account.',
  ]),
]

const WITHDRAWALS: readonly Mutation[] = [
  ...core(
    'payments/decide-case.ts',
    'operators/operators.test.ts',
    [
      '? withdrawableAtFreshPrices(context, account, at)',
      '? withdrawable(figuresOf(state, account))',
      'Profit at a stale price can be withdrawn.',
    ],
    [
      "if (instrument && !isRejection(tradableMarket(context, instrument, at, 'closing'))) continue",
      'if (instrument && at - (state.quotes.get(instrumentId)?.receivedAt ?? 0) <= 5_000) continue',
      'Profit on a halted or closed market can be withdrawn while prices come.',
    ],
    [
      "if (instrument && !isRejection(tradableMarket(context, instrument, at, 'closing'))) continue",
      "if (instrument && !state.halts.has(instrumentId) && state.mode !== 'halted' && context.isOpen(instrument, at)) continue",
      'Profit on a silent market can be withdrawn.',
    ],
    [
      'if (profit > marginLoss) free = money(free - profit + marginLoss)',
      'free = money(free - profit + marginLoss)',
      'A position that has lost more than its margin counts as having lost its margin only.',
    ],
    [
      'isPosition(order) ? sum + order.margin : sum',
      'isPosition(order) ? sum : sum',
      'A position on a stale market counts as having lost nothing.',
    ],
    [
      '?? (amount < 0n ? checkCovered(context, account, money(-amount), at) : null)',
      '',
      'An adjustment takes money that a position at a stale price may have lost.',
    ],
    [
      '-smaller(amount, protection)',
      '0n',
      'Protection paid while money was frozen is not repaid when the withdrawal is cancelled.',
    ],
    [
      '-smaller(amount, protection)',
      '-(protection)',
      'A cancelled withdrawal repays more protection than its amount.',
    ],
  ),
  ...core(
    'payments/evolve-case.ts',
    'operators/operators.test.ts',
    [
      "kind === 'protection' ? amount : -amount",
      "kind === 'protection' ? amount : NO_MONEY",
      'Two cancelled withdrawals repay the same protection twice.',
    ],
    [
      "each.kind === 'withdrawal' && each.accountId === accountId)",
      "each.kind === 'withdrawal' && each.accountId === accountId && each.status !== 'held')",
      'Protection counts only for withdrawals that were approved.',
    ],
  ),
  ...core('engine/evolve.ts', 'operators/operators.test.ts', [
    '      noteProtection(state, event.accountId, event.transfers)\n',
    '',
    'Nobody records the protection that a withdrawal owes.',
  ]),
  ...server('engine/restore/restore.ts', 'engine/restore/restore.test.ts', [
    '  await loadProtection(queries, state, [...new Set(owners.map(({ accountId }) => accountId))])\n',
    '  void loadProtection\n  void owners\n',
    'A restart forgets the protection that a withdrawal owes.',
  ]),
]

const REQUEST_IDS: readonly Mutation[] = [
  ...server('funds/withdrawals.ts', 'funds/desk/repeated-requests.wire.test.ts', [
    '  const refusal = await refusalOfRequest(services, call, asked)\n',
    `  const { queries } = services
  const rows = queries.selectFrom('request').select('at').where('request_id', '=', request?.id ?? '')
  const isRepeat = (await rows.executeTakeFirst()) !== undefined
  const refusal = isRepeat ? null : await refusalOfRequest(services, call, asked)
`,
    'After 48 hours an old request id opens a withdrawal without checks.',
  ]),
  ...server('funds/deposits.ts', 'funds/desk/repeated-requests.wire.test.ts', [
    "    if (picture.usedBy !== null) return refuse('proofUsed', { field: 'proofImg' })\n",
    `    const rows = services.queries.selectFrom('request').select('at').where('request_id', '=', request?.id ?? '')
    const isRepeat = (await rows.executeTakeFirst()) !== undefined
    if (picture.usedBy !== null && !isRepeat) return refuse('proofUsed', { field: 'proofImg' })
`,
    'After 48 hours an old request id proves a deposit by a used picture.',
  ]),
  ...server(
    'engine/engine.ts',
    'funds/desk/repeated-requests.wire.test.ts',
    [
      'acceptedRequest(state, request, now())',
      'acceptedRequest(state, request, 0)',
      'A request id is taken for a repeat for ever.',
    ],
    [
      'if (accepted.digest !== request.digest)',
      'if (accepted.digest === null)',
      'A request id used for another amount returns the first case.',
    ],
  ),
  ...core('state/accepted-requests.ts', 'engine/transact.test.ts', [
    'accepted.at >= at - REQUEST_RETENTION_MS ? accepted : null',
    'accepted.at >= 0 ? accepted : null',
    'The core takes a request id for a repeat for ever.',
  ]),
  ...server('engine/follow-ups.ts', 'engine/follow-ups.test.ts', [
    "return known.digest === request.digest ? known.body : refuse('requestIdReused', { requestId: request.id })",
    'return known.body',
    'A draft with another amount keeps the row of the first one.',
  ]),
  ...server('funds/withdrawals.ts', 'funds/desk/money-races.wire.test.ts', [
    '      if (!isRefusal(entry)) return changed(call, input.id)\n',
    `      if (!isRefusal(entry)) return changed(call, input.id)
      if (entry.rejected === 'requestIdReused') (engine.state().cases as Map<number, unknown>).delete(input.id)
`,
    'A cancellation that is refused ends the withdrawal for operators.',
  ]),
]

const CLAIMS: readonly Mutation[] = [
  ...core('payments/decide-case.ts', 'operators/operators.test.ts', [
    'const refused = checkOpenAccount(account) ?? checkRealAccount(account)',
    'const refused = checkRealAccount(account)',
    'An adjustment is requested for a closed account.',
  ]),
  ...server(
    'funds/day-limits.ts',
    'funds/day-limits.test.ts',
    [
      'claimed += amount < maxOfOne ? amount : maxOfOne',
      'claimed += amount',
      'One user claims half of what a channel may take without proof.',
    ],
    [
      'const used = own + credited + (claimed < maxOfAll ? claimed : maxOfAll)',
      'const used = own + credited + claimed',
      'Ten users block a channel with claims that nobody has proved.',
    ],
    [
      "BigInt(status === 'finished' ? sums.credited : sums.reported)",
      'BigInt(sums.reported)',
      'A claim of the whole limit blocks a channel once a part of it was credited.',
    ],
  ),
]

const ADVERSE = 'terms/adverse-terms.test.ts'

/** Fields of an instrument whose change was not adverse. */
const NOT_ADVERSE: readonly (readonly [field: string, verdict: string, name: string])[] = [
  ['session', 'isDifferent', 'The hours'],
  [
    'sourceOrder',
    "(after, before) => isDifferent((after ?? []).join('\\n'), (before ?? []).join('\\n'))",
    'The order of sources',
  ],
  ['isEnabled', '(after, before) => before && !after', 'Whether an instrument trades'],
  ['suspectBand', 'isDifferent', 'The suspect band'],
  ['maxSpread', 'isDifferent', 'The largest spread'],
  ['minStopDistance', 'isHigher', 'The distance of stops'],
  ['lotMin', 'isHigher', 'The smallest lot'],
  ['lotMax', 'isLower', 'The largest lot'],
  ['lotStep', 'isDifferent', 'The step of lots'],
  ['marginMode', 'isDifferent', 'Fixed margin'],
]

const TERMS: readonly Mutation[] = [
  ...NOT_ADVERSE.flatMap(([field, verdict, name]) =>
    core('terms/adverse-terms.ts', ADVERSE, [
      `  ${field}: ${verdict},`,
      `  ${field}: never,`,
      `${name} changes by one operator without notice.`,
    ]),
  ),
  ...core(
    'terms/adverse-terms.ts',
    ADVERSE,
    [
      '  freshnessMs: isDifferent,\n}\n\n/** Texts',
      '  freshnessMs: never,\n}\n\n/** Texts',
      'The freshness of an instrument changes by one operator without notice.',
    ],
    [
      '  freshnessMs: isDifferent,\n  warningLevel',
      '  freshnessMs: never,\n  warningLevel',
      'The freshness of all prices changes by one operator without notice.',
    ],
    [
      '  freshnessMs: isDifferent,\n  name',
      '  freshnessMs: never,\n  name',
      'The freshness of a source changes by one operator without notice.',
    ],
    [
      "return scheduleOf(after) === scheduleOf(before) ? [] : ['hours']",
      'return []',
      'A schedule changes by one operator without notice.',
    ],
    [
      'holidays.toSorted((a, b) => (a.date < b.date ? -1 : 1))',
      'holidays.length > 0',
      'A holiday is added by one operator without notice where there are others.',
    ],
    [
      "new Set(['session', 'isEnabled', 'sourceOrder', 'hours', 'source'])",
      "new Set(['session', 'isEnabled', 'sourceOrder', 'hours', 'source', 'feeRate', 'suspectBand'])",
      'Two operators raise a fee at short notice.',
    ],
    [
      'fields.every((field) => SHORT_NOTICE.has(field))',
      'fields.some((field) => SHORT_NOTICE.has(field))',
      'A change of hours carries any other adverse term along at short notice.',
    ],
    [
      'return [...(inForce ? [inForce] : []), ...announced]',
      'return inForce ? [inForce] : announced',
      'An announced improvement is taken back without notice.',
    ],
  ),
  ...core(
    'terms/terms-bounds.ts',
    ADVERSE,
    [
      'const FRESHNESS_MIN_MS = 1_000',
      'const FRESHNESS_MIN_MS = 100',
      'A freshness of 100 ms traps everybody.',
    ],
    [
      'const minimumBand = first ? first.suspectBand / 10 : NEW_BAND_MIN',
      'const minimumBand = first ? 1 : NEW_BAND_MIN',
      'A suspect band of one millionth traps everybody.',
    ],
    [
      'const NEW_BAND_MIN = 2_000',
      'const NEW_BAND_MIN = 1',
      'A new instrument may have a suspect band of one millionth.',
    ],
    [
      'maxSpread * typical.price >= 2 * typical.spread * WHOLE',
      'maxSpread > 0',
      'A largest spread below the usual one traps everybody.',
    ],
    ['const MARK_UP_MAX = 10_000', 'const MARK_UP_MAX = 100_000', 'A mark-up of 10 % a side is accepted.'],
    [
      'const SWAP_MAX = 100_000_000',
      'const SWAP_MAX = 1_000_000_000',
      'A swap of 1000 % a year is accepted.',
    ],
    [
      '  if (known?.typical) return\n  firstTerms.set(instrument.id, {\n    suspectBand: known?.suspectBand ?? instrument.suspectBand,',
      '  firstTerms.set(instrument.id, {\n    suspectBand: instrument.suspectBand,',
      'Bounds follow from the terms in force, so that they can be passed step by step.',
    ],
    ['  if (known?.typical) return\n', '', 'The bound of a spread follows from what is called typical now.'],
    [
      'suspectBand === before?.suspectBand || suspectBand >= minimumBand',
      'suspectBand >= minimumBand',
      'An instrument with an old band cannot be changed any more.',
    ],
    [
      "const isKept = before?.kind === 'source' && before.source.freshnessMs === freshnessMs",
      "const isKept = before?.kind === 'source' && false",
      'A source with an old freshness cannot be changed any more.',
    ],
  ),
  ...core(
    'terms/change-terms.ts',
    ADVERSE,
    [
      "return isConfirmed(by) ? null : reject('secondOperatorNeeded', { field: adverse[0] ?? '' })",
      'return null',
      'One operator changes hours at short notice.',
    ],
    [
      "const LIMITS = ['fourEyesLimit', 'fourEyesOperatorLimit'] as const",
      "const LIMITS = ['fourEyesLimit'] as const",
      'One operator changes the limit of an operator.',
    ],
    [
      "return change.kind === 'settings' && holdsRealMoney(state)\n      ? checkFullNotice(state, change, at, effectiveAt)\n      : null",
      'return null',
      'A start makes settings worse without notice while users have money.',
    ],
    [
      'return holdsRealMoney(state) ? checkFullNotice(state, change, at, effectiveAt) : null',
      'return null',
      'A start changes the limits of two operators without notice.',
    ],
  ),
  ...server('market/terms-history.ts', 'market/announced-terms.wire.test.ts', [
    "author.type === 'operator' && author.second !== null && change.effectiveAt - Number(row.at) < noticeMs",
    "author.type !== 'operator' && change.effectiveAt - Number(row.at) < noticeMs",
    'Announced terms do not say that their notice is short.',
  ]),
  ...server(
    'market/terms-history.ts',
    'market/terms-versions.wire.test.ts',
    [
      "    .where('version', '<=', BigInt(version))\n",
      '',
      'The version that a receipt names shows the terms of today.',
    ],
    [
      '    .where((where) => where.or(subjects.map(',
      "    .where('version', 'is not', null)\n    .where((where) => where.or(subjects.map(",
      'Terms to come are missing among the public versions.',
    ],
    [
      "row.in_effect_at === null ? 'announced' : 'inForce'",
      "row.in_effect_at === null ? 'inForce' : 'inForce'",
      'Announced terms are shown as terms in force.',
    ],
    [
      "    { kind: 'instrument', subject },\n    SETTINGS,\n",
      "    { kind: 'instrument', subject },\n",
      'The public versions leave out the trading settings.',
    ],
    [
      'isUrgent: isByTwo && effectiveAt < noticeEnd(state, change, decidedAt)',
      'isUrgent: isByTwo && effectiveAt < decidedAt',
      'Versions do not say that two operators shortened the notice.',
    ],
  ),
  ...server('market/feeds/replay/replay-feed.ts', 'market/feeds/open-feeds.test.ts', [
    'MAX_BARS = 10_000',
    'MAX_BARS = 1_000',
    'The chart of a replay shows only a thousand minutes before its start.',
  ]),
  ...server('market/feeds/open-feeds.ts', 'market/feeds/open-feeds.test.ts', [
    'replay.droppedBars.length > 0)',
    'replay.droppedBars.length > 1_000)',
    'A replay does not say how much of its past is missing.',
  ]),
  ...server('market/market.ts', 'market/chart-past.wire.test.ts', [
    "sourceOf(instrumentId) === 'simulated' ? null : candles.since(instrumentId)",
    "sourceOf(instrumentId) === 'simulated' ? null : null",
    'A chart does not say since when it has bars.',
  ]),
]

const HELD_PRICES: readonly Mutation[] = [
  ...core(
    'market/admitted-reference.ts',
    'market/admitted-reference.test.ts',
    [
      'if (!isConfirmed(by) || !isSupervised)',
      'if (by.second && !isSupervised)',
      'One dealer admits a held price.',
    ],
    [
      'if (!isConfirmed(by) || !isSupervised)',
      'if (!isConfirmed(by))',
      'Two dealers who did not check it admit a held price.',
    ],
    [
      'admitted.has(quote.instrumentId) && !quote.admitted',
      'admitted.has(quote.instrumentId) && quote.seq < 0',
      'The journal never says that the market confirmed an admitted price.',
    ],
  ),
  ...core('model/receipt.ts', 'market/admitted-reference.test.ts', [
    '    ...(quote.admitted && { admitted: true }),\n',
    '',
    'A receipt does not say that operators admitted its reference.',
  ]),
  ...core(
    'market/tick-guard.ts',
    'market/tick-guard.test.ts',
    [
      '  memory.reference = { bid, ask }\n  if (market !== undefined)',
      '  memory.reference = { bid, ask }\n  memory.market = { bid, ask }\n  if (market !== undefined)',
      'A wrong price that was admitted locks true prices out.',
    ],
    [
      '  memory.admitted = { first: null }\n  memory.held.clear()',
      '  memory.held.clear()',
      'Receipts call prices near an admitted reference prices of the market.',
    ],
    [
      'if (isNear && (!first || !isAnother(tick, first)))',
      'if (isNear && !first)',
      'The same frame sent twice confirms an admitted reference.',
    ],
    [
      'if (isNear && (!first || !isAnother(tick, first)))',
      'if (isNear)',
      'No tick of the market ever confirms an admitted reference.',
    ],
    [
      'if (!isAdmitted) memory.market = quote',
      'memory.market = quote',
      'The tenfold bound follows ticks that only an admission let in.',
    ],
    [
      'if (market && !isNearAdmitted && isOutOfBounds(instrument, tick, market))',
      'if (market && !memory.admitted && isOutOfBounds(instrument, tick, market))',
      'After an admission any price is within the tenfold bound.',
    ],
    [
      'if (market && !isNearAdmitted && isOutOfBounds(instrument, tick, market))',
      'if (market && !isNearAdmitted && isOutOfBounds(instrument, tick, reference))',
      'The tenfold bound is measured from the admitted price.',
    ],
  ),
  ...server(
    'market/tick-intake.ts',
    'market/tick-intake.test.ts',
    [
      '      records.settle(held.instrumentId)\n    },',
      `      records.settle(held.instrumentId)
      options.accept({ ...held, seq: 9_999, receivedAt: held.at, time: held.at })
    },`,
      'An admitted price fills orders itself.',
    ],
    [
      'admitReference(guard, instrumentId, reference, reference.market)',
      'void reference.market',
      'A restart forgets an admitted reference.',
    ],
    [
      'admitReference(guard, instrumentId, reference, reference.market)',
      'admitReference(guard, instrumentId, reference)',
      'After a restart the tenfold bound is measured from the admitted price.',
    ],
  ),
]

const RESTRICTIONS: readonly Mutation[] = [
  ...['closePosition', 'closeAll', 'cancelOrder', 'setStops', 'setTrailing'].flatMap((command) =>
    core('accounts/decide-account.ts', 'accounts/decide-status.test.ts', [
      `  '${command}',\n`,
      '',
      `The owner of a frozen account cannot send ${command}.`,
    ]),
  ),
  ...core(
    'accounts/decide-account.ts',
    'accounts/decide-status.test.ts',
    [
      "new Set(['requestWithdrawal', 'cancelWithdrawal'])",
      "new Set(['cancelWithdrawal'])",
      'The owner of a frozen account cannot request a withdrawal.',
    ],
    [
      "new Set(['requestWithdrawal', 'cancelWithdrawal'])",
      "new Set(['requestWithdrawal'])",
      'The owner of a frozen account cannot cancel a withdrawal.',
    ],
    [
      '  ...ALWAYS_ALLOWED_BY_FIRST_RULES,\n',
      "  ...ALWAYS_ALLOWED_BY_FIRST_RULES,\n  'bindPayoutMethod',\n  'removePayoutMethod',\n",
      'The owner of a frozen account changes payout methods.',
    ],
    [
      "if (status !== 'frozen') return null",
      "if (status !== 'closed') return null",
      'The owner of a frozen account takes its stops away.',
    ],
    [
      "if (status !== 'frozen' || isConfirmed(by) || !hasSingleOperatorLimits(state)) return [event]",
      'return [event]',
      'A freeze by one operator lasts for ever.',
    ],
    [
      'if (standing) return [{ ...event, alone: standing }]\n',
      '',
      'One operator prolongs a freeze by repeating it until it is lifted.',
    ],
    [
      'if (standing) return [{ ...event, alone: standing }]\n',
      'if (standing) return [{ ...event, alone: { ...standing, lapsesAt: at + FREEZE_ALONE_MS } }]\n',
      'One operator prolongs a freeze by repeating it.',
    ],
    [
      'const before = { status: account.status, reason: account.statusReason }',
      "const before = { status: 'active' as const, reason: '' }",
      'A freeze that lapses lifts the restriction before it.',
    ],
    [
      'export const FREEZE_ALONE_MS = 72 * 3_600_000',
      'export const FREEZE_ALONE_MS = 73 * 3_600_000',
      'A freeze by one operator lasts 73 hours.',
    ],
    [
      "  if (at < from) return reject('secondOperatorNeeded', { from })\n",
      '',
      'One operator freezes an account again and again.',
    ],
    [
      "return { since, endedAt: status === 'frozen' ? null : at }",
      'return { since, endedAt: null }',
      'One operator freezes an account again once the freeze was lifted.',
    ],
    [
      "if (status !== 'frozen') return known ?? null",
      "if (status !== 'frozen') return null",
      'One operator freezes an account again after restricting it to closing.',
    ],
  ),
  ...core(
    'accounts/decide-account.ts',
    'copying/decide-copy.test.ts',
    [
      "new Set(['stopCopy', 'pauseCopy', 'setCopyStopLoss'])",
      "new Set(['pauseCopy', 'setCopyStopLoss'])",
      'The owner of a frozen account cannot stop a copy.',
    ],
    [
      'frozenOwnersReduceCopies(state) && ALWAYS_ALLOWED_FOR_COPIES.has(type)',
      'ALWAYS_ALLOWED_FOR_COPIES.has(type)',
      'A stopped copy of a frozen owner is judged by other rules than those of its time.',
    ],
  ),
  ...core('copying/decide-copy.ts', 'copying/decide-copy.test.ts', [
    "owner.status === 'frozen' && stopLoss < account.copy.stopLoss",
    'false',
    'The owner of a frozen account moves the stop loss of a copy away.',
  ]),
  ...core(
    'accounts/decide-account.ts',
    'engine/follow-provider.test.ts',
    [
      'const since = known?.since ?? frozenProviders.get(account.id) ?? at',
      'const since = at',
      'A provider who is frozen again keeps copiers waiting for ever.',
    ],
    [
      'since: isSoon ? known.since : at, endedAt: null',
      'since: at, endedAt: null',
      'Short freezes in a row keep copiers waiting for ever.',
    ],
    [
      'const FREE_BETWEEN_FREEZES_MS = 7 * 86_400_000',
      'const FREE_BETWEEN_FREEZES_MS = 8 * 86_400_000',
      'A freeze counts with one that ended more than a week before.',
    ],
  ),
  ...core(
    'orders/tradable-market.ts',
    'market/halts.test.ts',
    [
      "state.mode === 'reduceOnly' && deal === 'opening'",
      "state.mode === 'reduceOnly'",
      'In reduce-only mode nobody can close.',
    ],
    [
      "return state.mode === 'reduceOnly' && deal === 'opening'",
      "return state.mode === 'cancelOnly' && deal === 'opening'",
      'In reduce-only mode positions are opened.',
    ],
  ),
  ...core(
    'market/halts.ts',
    'market/halts.test.ts',
    [
      "const mode = command.mode === 'cancelOnly' ? 'reduceOnly' : command.mode",
      'const { mode } = command',
      'The old pause stops closing.',
    ],
    [
      "if (state.mode === 'cancelOnly' && hasSingleOperatorLimits(state)) state.mode = 'reduceOnly'",
      '',
      'A pause from before the new rules still stops closing.',
    ],
    ['return Math.min(at + HALT_ALONE_MS, ...ends)', 'return null', 'A halt by one operator lasts for ever.'],
    [
      "  if (at < from) return reject('secondOperatorNeeded', { from })\n",
      '',
      'One operator halts the same instrument again and again.',
    ],
    [
      'return Math.min(at + HALT_ALONE_MS, ...ends)',
      'return at + HALT_ALONE_MS',
      'One operator prolongs the halt of an instrument by halting the whole market.',
    ],
    [
      '[key, other].includes(WHOLE_MARKET)',
      'key === WHOLE_MARKET',
      'One operator halts instruments right after a halt of the whole market.',
    ],
    [
      '[key, other].includes(WHOLE_MARKET)',
      'other === WHOLE_MARKET',
      'One operator halts the whole market right after its instruments.',
    ],
    [
      'if (isHalted) return state.haltEnds.get(key) ?? null\n',
      'if (isHalted) return at + HALT_ALONE_MS\n',
      'One operator prolongs a halt by changing its reason.',
    ],
    [
      'if (isHalted) return state.haltEnds.get(key) ?? null\n',
      '',
      'A new reason by one operator ends a halt by two.',
    ],
    ['  if (isConfirmed(by)) return null\n', '', 'A halt by two operators ends after 30 minutes.'],
    [
      '(state.singleOperatorHaltAllowedFrom.get(WHOLE_MARKET) ?? 0),',
      '0,',
      'One operator halts the whole market again after another change of the mode.',
    ],
    [
      'const after = isHalted ? state.modeAfterHalt : { mode: state.mode, reason: state.modeReason }',
      "const after = isHalted ? state.modeAfterHalt : { mode: 'normal' as const, reason: '' }",
      'The end of a halt of the market opens a market that was reduce-only.',
    ],
    [
      'export const HALT_ALONE_MS = 30 * 60_000',
      'export const HALT_ALONE_MS = 31 * 60_000',
      'A halt by one operator lasts 31 minutes.',
    ],
    [
      'export const HALT_AGAIN_MS = 4 * 3_600_000',
      'export const HALT_AGAIN_MS = 3 * 3_600_000',
      'One operator halts again after 3 hours.',
    ],
  ),
  ...core(
    'orders/decide-close.ts',
    'orders/decide-close-by-operator.test.ts',
    [
      "    if (!isConfirmed(by)) return reject('secondOperatorNeeded')\n",
      '',
      "One dealer closes a user's position.",
    ],
    [
      "if (!ground || !CLOSE_GROUNDS.includes(ground)) return reject('groundNeeded')",
      '',
      "A user's position is closed without one of the written reasons.",
    ],
    [
      'isRejection(decided) || !ground ? decided : decided.map((event) => withGround(event, ground))',
      'decided',
      'A receipt does not name the ground on which operators closed a position.',
    ],
  ),
]

const LINKED: readonly Mutation[] = [
  ...server(
    'risk/linked-accounts.ts',
    'risk/linked-accounts.test.ts',
    [
      "of: (ids) => logins.where('user_id', 'in', ids).execute(),",
      'of: () => Promise.resolve([]),',
      'Accounts that share a browser are not linked.',
    ],
    [
      "of: (ids) => visits.where('user_id', 'in', ids).execute(),",
      'of: () => Promise.resolve([]),',
      'Accounts that share a network are not linked.',
    ],
    [
      "of: (ids) => methods.where('user_id', 'in', ids).execute(),",
      'of: () => Promise.resolve([]),',
      'Accounts that share a payout account are not linked.',
    ],
    [
      'if (one.side === other.side || since === null',
      'if (since === null',
      'Linked accounts with positions on the same side are listed.',
    ],
    [
      'protection: protection.get(accountId) ?? NO_MONEY,',
      'protection: NO_MONEY,',
      'The list of linked accounts does not show the protection paid.',
    ],
    [
      'const candidates = new Set(protection.keys())',
      'const candidates = new Set<number>()',
      'Accounts that protection was paid to vanish from the list once they are closed out.',
    ],
    [
      'group.map(({ user_id: id }) => Number(id)))].filter(isTrader)',
      'group.map(({ user_id: id }) => Number(id)))]',
      'Demo accounts in one browser hide a pair of linked accounts.',
    ],
    [
      "link === 'payout' || users.length <= SHARED_BY",
      'true',
      'Every customer behind one office network is listed as linked.',
    ],
  ),
]

/** Old behaviour of what one person, or a clever visitor, could do: numbers 6 to 13 of the rules of two operators. */
export const FAIRNESS_MUTATIONS: readonly Mutation[] = [
  ...VOID,
  ...FIRST_LOG_IN,
  ...SETTINGS,
  ...WITHDRAWALS,
  ...REQUEST_IDS,
  ...CLAIMS,
  ...TERMS,
  ...HELD_PRICES,
  ...RESTRICTIONS,
  ...LINKED,
]
